// The connection to the server: it comes back by itself, and every message that asks for an answer gets one.

const WAITS = [300, 700, 1500, 3000, 5000]; // ms before each further try
const HEARTBEAT = 15000; // ms; a line that is dead without saying so is found by it
const PATIENCE = 8000; // ms for an answer

/** A refusal, with its code. */
export class Refusal extends Error {
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

/** GET or, with a body, POST of JSON. Throws a Refusal. */
export async function ask(path, body) {
  const options =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Refusal('offline', 'the server does not answer');
  }
  const value = await answer.json().catch(() => null);
  if (!answer.ok) throw new Refusal(value?.error?.code ?? 'internal', value?.error?.text ?? `${answer.status}`);
  return value;
}

/**
 * A socket that reconnects. `heard(message)` gets all but answers; `state('open' | 'lost' | 'gone', refusal)` says
 * how it is: gone is for good, and why is a Refusal. What is sent while it is away is refused at once: the server says all anew on connecting.
 */
export class Line {
  constructor(path, heard, state = () => {}) {
    Object.assign(this, { path, heard, state });
    this.number = 0;
    this.tries = 0;
    this.answers = new Map();
    this.ended = false;
    this.online = () => this.again(0);
    this.visible = () => document.visibilityState === 'visible' && this.check();
    addEventListener('online', this.online);
    document.addEventListener('visibilitychange', this.visible);
    this.beat = setInterval(() => this.check(), HEARTBEAT);
    this.connect();
  }

  connect() {
    if (this.ended) return;
    clearTimeout(this.waiting);
    const socket = new WebSocket(`${location.protocol.replace('http', 'ws')}//${location.host}${this.path}`);
    this.socket = socket;
    socket.onopen = () => {
      this.tries = 0;
      this.state('open');
    };
    socket.onmessage = (event) => this.socket === socket && this.take(JSON.parse(event.data));
    socket.onclose = (event) => this.socket === socket && this.closed(event);
  }

  take(message) {
    const waiting = this.answers.get(message.re);
    if ((message.type === 'ok' || message.type === 'error') && waiting) {
      this.answers.delete(message.re);
      clearTimeout(waiting.timer);
      if (message.type === 'ok') waiting.done(message);
      else waiting.failed(new Refusal(message.code, message.text));
      return;
    }
    if (message.type === 'error') this.reason = new Refusal(message.code, message.text);
    this.heard(message);
  }

  closed(event) {
    this.socket = null;
    for (const { failed, timer } of this.answers.values()) {
      clearTimeout(timer);
      failed(new Refusal('offline', 'the connection was lost'));
    }
    this.answers.clear();
    if (this.ended) return;
    if ([4404, 4403].includes(event.code)) {
      this.close();
      this.state('gone', this.reason ?? new Refusal('internal', event.reason || 'refused'));
      return;
    }
    this.state('lost', event.code === 4429 ? this.reason : undefined);
    this.again(event.code === 4429 ? 10000 : WAITS[Math.min(this.tries++, WAITS.length - 1)]);
  }

  again(wait) {
    if (this.ended || this.socket?.readyState === WebSocket.OPEN) return;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.connect(), wait);
  }

  /** Drop what is there and connect anew, which brings everything again. */
  renew() {
    const old = this.socket;
    this.socket = null;
    old?.close();
    this.closed({ code: 0 });
  }

  check() {
    if (this.socket?.readyState === WebSocket.OPEN) this.send('ping').catch(() => {});
    else this.again(0);
  }

  /** Send; resolves with the answer `ok`, is rejected with a Refusal. */
  send(type, fields = {}) {
    if (this.socket?.readyState !== WebSocket.OPEN) {
      return Promise.reject(new Refusal('offline', 'there is no connection'));
    }
    const id = ++this.number;
    const socket = this.socket;
    return new Promise((done, failed) => {
      const timer = setTimeout(() => this.socket === socket && this.renew(), PATIENCE);
      this.answers.set(id, { done, failed, timer });
      socket.send(JSON.stringify({ type, id, ...fields }));
    });
  }

  close() {
    this.ended = true;
    clearInterval(this.beat);
    clearTimeout(this.waiting);
    removeEventListener('online', this.online);
    document.removeEventListener('visibilitychange', this.visible);
    this.socket?.close();
  }
}
