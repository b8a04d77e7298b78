// The box and what follows an answer: chips that ask again, links that keep the question behind #.
const form = document.getElementById("ask");
const question = form.elements.question;
const before = document.getElementById("before");
const answer = document.getElementById("answer");
/** Waits until nothing was typed for so many ms, then shows how the question would be read. */
const PAUSE_MS = 300;
let pause = 0;
let turn = 0;

question.addEventListener("input", () => {
  clearTimeout(pause);
  pause = setTimeout(foresee, PAUSE_MS);
});

async function foresee() {
  const now = ++turn;
  if (!question.value.trim()) {
    before.replaceChildren();
    return;
  }
  const body = new URLSearchParams(new FormData(form));
  const reply = await fetch(form.dataset.reading, { method: "POST", body, headers: { "HX-Request": "true" } });
  const html = reply.ok ? await reply.text() : "";
  if (now === turn) before.innerHTML = html;
}

question.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});

form.addEventListener("submit", () => {
  document.getElementById("asking").classList.remove("first");
  clearTimeout(pause);
  turn++;
  before.replaceChildren();
});

document.getElementById("asking").addEventListener("change", (event) => {
  const { target } = event;
  if (target.matches("[data-rewrite]")) question.value = target.value;
  else if (target.matches("[data-way]")) form.elements.mode.value = target.value;
  else if (target.matches("[data-as-of]")) form.elements.day.value = target.value;
  else return;
  forget();
  if (before.contains(target)) foresee();
  else form.requestSubmit();
});

answer.addEventListener("click", async (event) => {
  const ask = event.target.closest("[data-ask]");
  if (ask) {
    question.value = ask.dataset.ask;
    forget();
    form.requestSubmit();
  }
  if (event.target.closest("[data-copy-link]")) {
    const status = answer.querySelector("[data-copied]");
    try {
      await navigator.clipboard.writeText(location.href);
      event.target.textContent = "Copied";
      status.textContent = "The link is copied";
    } catch {
      status.textContent = "The link is in the address bar";
      status.classList.remove("unseen");
    }
  }
});

// the answer is whole: its address reproduces it, and the server never sees what is behind the #
new MutationObserver(() => {
  const done = answer.querySelector("[data-done]:not([data-kept])");
  if (!done) return;
  done.dataset.kept = "";
  document.getElementById("answer-text").removeAttribute("aria-busy");
  const told = new URLSearchParams({ q: question.value.trim() });
  if (form.elements.mode.value !== "auto") told.set("mode", form.elements.mode.value);
  if (form.elements.kind.value) told.set("kind", form.elements.kind.value);
  told.set("at", done.dataset.now);
  told.set("answer", done.dataset.fingerprint);
  if (done.dataset.build) told.set("build", done.dataset.build);
  const address = new URL(location.href);
  const day = form.elements.day.value;
  if (day) address.searchParams.set("as_of", day);
  else address.searchParams.delete("as_of");
  address.hash = told.toString();
  history.replaceState(null, "", address);
  forget();
}).observe(answer, { childList: true, subtree: true });

/** A link's answer is compared once: what is asked after it is new. */
function forget() {
  for (const name of ["seen_at", "seen_answer", "seen_build"]) form.elements[name].value = "";
}

function askAgain() {
  const told = new URLSearchParams(location.hash.slice(1));
  if (!told.get("q")) return;
  question.value = told.get("q");
  form.elements.mode.value = told.get("mode") || "auto";
  form.elements.kind.value = told.get("kind") || "";
  form.elements.seen_at.value = told.get("at") || "";
  form.elements.seen_answer.value = told.get("answer") || "";
  form.elements.seen_build.value = told.get("build") || "";
  form.requestSubmit();
}

window.addEventListener("hashchange", askAgain);
// htmx takes the form over a moment after the page is read: before that, the browser would send it
function onceTaken() {
  if (form.hasAttribute("data-htmx-powered")) askAgain();
  else setTimeout(onceTaken, 5);
}
onceTaken();
