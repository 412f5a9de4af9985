// What people say to each other, and what one who looks on is called.

import { button, el, remember, remembered } from './dom.js';
import { say, sideName } from './words.js';
import { refusalText, speak, toast } from './shell.js';

export class Talk {
  constructor(send) {
    this.lines = el('ol', { class: 'said', 'aria-label': say('talk.label'), tabindex: 0 });
    const text = el('input', { maxlength: 200, 'aria-label': say('talk.text'), placeholder: say('talk.text'), autocomplete: 'off', enterkeyhint: 'send' });
    const name = el('input', { maxlength: 40, value: remembered('name'), autocomplete: 'nickname' });
    const refused = (error) => toast(refusalText(error), 'bad');
    name.addEventListener('change', () => {
      remember('name', name.value.trim());
      send('name', { name: name.value.trim() }).catch(refused);
    });
    this.form = el(
      'form',
      {
        class: 'say',
        onsubmit: (event) => {
          event.preventDefault();
          if (!text.value.trim()) return;
          send('talk', { text: text.value }).then(() => (text.value = ''), refused);
        },
      },
      text,
      button(say('talk.send'), null, { type: 'submit' }),
    );
    this.count = el('span', { class: 'count', hidden: true });
    this.element = el(
      'details',
      { class: 'card talk', ontoggle: () => this.read() },
      el('summary', {}, el('h2', {}, say('talk.title')), this.count),
      this.lines,
      this.form,
      el('label', { class: 'naming' }, say('talk.name'), name),
    );
    this.unread = 0;
  }

  read() {
    if (!this.element.open) return;
    this.unread = 0;
    this.count.hidden = true;
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  who({ from, name }) {
    return name || (from ? sideName(from) : say('talk.somebody'));
  }

  line(said) {
    const time = new Date(said.at * 1000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
    return el('li', { class: said.from ? 'player-said' : null }, el('b', {}, el('bdi', {}, this.who(said))), ' ', el('bdi', {}, said.text), ' ', el('time', {}, time));
  }

  all(lines) {
    this.lines.replaceChildren(...lines.map((said) => this.line(said)));
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  add(said) {
    this.lines.append(this.line(said));
    this.lines.scrollTop = this.lines.scrollHeight;
    const spoken = say('talk.spoken', { name: this.who(said), text: said.text });
    if (this.element.open) return void speak(spoken);
    this.unread++;
    this.count.hidden = false;
    this.count.textContent = this.unread;
    toast(spoken);
  }
}
