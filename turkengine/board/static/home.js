import { fill } from './dom.js';
export function open(page) { fill(page, 'home'); }
