// Cited pages open beside the answer: one dialog, walked by arrows, closed by Esc, focus goes back.
const viewer = document.getElementById("viewer");
let opener = null;

document.addEventListener("click", (event) => {
  const cite = event.target.closest("a[data-cite], a[data-sheet]");
  if (cite && !event.metaKey && !event.ctrlKey && cite.pathname.includes("/pages/")) {
    event.preventDefault();
    opener = cite;
    open(cite.href);
    return;
  }
  const working = event.target.closest("a[data-working]");
  if (working) {
    event.preventDefault();
    const details = document.querySelector(working.hash);
    details.open = true;
    details.querySelector("summary").focus();
    return;
  }
  if (!viewer.contains(event.target)) return;
  const turn = event.target.closest("a[data-turn]");
  if (turn) {
    event.preventDefault();
    open(turn.href);
  } else if (event.target.closest("[data-close]") || event.target === viewer) viewer.close();
  else if (event.target.closest("[data-previous]")) step(-1);
  else if (event.target.closest("[data-next]")) step(1);
});

viewer.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select, textarea") || event.target.closest(".scroll")) return;
  if (event.key === "ArrowLeft") step(-1);
  else if (event.key === "ArrowRight") step(1);
  else return;
  event.preventDefault();
});

viewer.addEventListener("close", () => opener?.focus());

async function open(address) {
  const reply = await fetch(address, { headers: { "HX-Request": "true" } });
  if (!reply.ok) {
    location.assign(address);
    return;
  }
  viewer.innerHTML = await reply.text();
  if (!viewer.open) viewer.showModal();
  viewer.scrollTop = 0;
  document.getElementById("viewer-title").focus({ preventScroll: true });
  const cell = viewer.querySelector("table .cited");
  if (cell) cell.scrollIntoView({ block: "nearest", inline: "center" });
  else viewer.querySelector("rect.cited")?.scrollIntoView({ block: "center" });
}

/** The source before or after the one that is open, in the order of their numbers. */
function step(by) {
  const cites = [...document.querySelectorAll(".evidence a[data-cite]")];
  if (!cites.length) return;
  const at = cites.findIndex((each) => each.dataset.cite === opener?.dataset.cite);
  opener = cites[(at + by + cites.length) % cites.length];
  open(opener.href);
}
