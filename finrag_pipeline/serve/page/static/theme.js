// Light, dark or as the system has it: remembered before anything is painted.
(() => {
  const root = document.documentElement;
  const kept = localStorage.getItem("finrag-theme");
  if (kept === "light" || kept === "dark") root.dataset.theme = kept;
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-theme-button]")) return;
    const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const next = (root.dataset.theme || system) === "dark" ? "light" : "dark";
    root.dataset.theme = next;
    localStorage.setItem("finrag-theme", next);
  });
})();
