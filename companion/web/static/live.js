// The line to the table: events as they happen, polling when there are too many listeners, and
// commands with the token that proves they come from this page.

import { $, first, words } from "./here.js";

const POLL_MS = 1000;
const STREAM_AGAIN_MS = 15000;
const PATIENCE_MS = 1500; // a hiccup shorter than this is nobody's business
const HIDDEN_MS = 20000; // a page nobody looks at gives its stream back

// Shows what the page came with, then what happens. A banner says when the table cannot be reached.
export function follow(on, linked = (good) => ($("lost").hidden = good)) {
  if (first) on.state(first);
  new Live(on, linked);
}

class Live {
  // `on` maps a kind of event to what to do with its data; `linked` hears true or false.
  constructor(on, linked) {
    this.on = on;
    this.linked = linked;
    this.number = -1;
    document.addEventListener("visibilitychange", () => this.look());
    this.listen();
  }

  look() {
    clearTimeout(this.hiding);
    if (document.hidden) this.hiding = setTimeout(() => this.stop(), HIDDEN_MS);
    else if (!this.source && !this.polling) this.listen();
  }

  stop() {
    this.source?.close();
    this.source = null;
    clearInterval(this.polling);
    this.polling = null;
    clearTimeout(this.again);
  }

  listen() {
    this.stop();
    const source = new EventSource(`/api/events?kinds=${Object.keys(this.on).join(",")}`);
    this.source = source;
    source.onopen = () => this.mark(true);
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) this.poll();
      else this.mark(false);
    };
    for (const kind of Object.keys(this.on)) {
      source.addEventListener(kind, (event) => {
        this.mark(true);
        this.on[kind](JSON.parse(event.data));
      });
    }
  }

  poll() {
    this.stop();
    const ask = async () => {
      try {
        const state = await get("/api/state");
        this.mark(true);
        if (state.number !== this.number) this.on.state(state);
        this.number = state.number;
      } catch {
        this.mark(false);
      }
    };
    ask();
    this.polling = setInterval(ask, POLL_MS);
    this.again = setTimeout(() => this.listen(), STREAM_AGAIN_MS);
  }

  mark(good) {
    if (good) {
      clearTimeout(this.worry);
      this.worry = null;
      this.linked(true);
    } else this.worry ??= setTimeout(() => this.linked(false), PATIENCE_MS);
  }
}

let token = document.querySelector('meta[name="csrf-token"]').content;

class Refusal extends Error {}

// Returns what the table answers to a question; throws a Refusal with a sentence for people.
export async function get(path, as = "json") {
  return answered(await reached(path, { cache: "no-store" }), as);
}

// Sends a command; returns the answer or throws a Refusal with a sentence for people.
export async function post(path, body = {}) {
  let response = await send(path, body);
  if (response.status === 403 && (await renewed())) response = await send(path, body);
  return answered(response);
}

// Returns how to send commands: `tell` says what came of one, and the answer is null when it was refused.
export function asker(tell) {
  return async (path, body = {}, say = tell) => {
    try {
      const answer = await post(path, body);
      say(answer.text, "good");
      return answer;
    } catch (refusal) {
      say(refusal.message, "bad");
      return null;
    }
  };
}

function send(path, body) {
  return reached(path, {
    method: "POST",
    keepalive: true, // what is asked on leaving a page still arrives
    headers: { "Content-Type": "application/json", "X-CSRF-Token": token },
    body: JSON.stringify(body),
  });
}

async function reached(path, options) {
  try {
    return await fetch(path, options);
  } catch {
    throw new Refusal(words.unreachable);
  }
}

async function answered(response, as = "json") {
  if (response.ok) return response[as]();
  const { error } = await response.json().catch(() => ({}));
  throw new Refusal(error ?? words.misheard);
}

// After a restart the table may not know this session any more; then there is a new token.
async function renewed() {
  const before = token;
  token = await get("/api/session").then((session) => session.token, () => before);
  return token !== before;
}
