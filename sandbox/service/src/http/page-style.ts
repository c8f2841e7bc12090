/** Style of the plain pages of the sandbox's services: the app's colours, light and dark, from 320 px up. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark; font: 16px/1.55 -apple-system, blinkmacsystemfont, "Segoe UI", Inter, Roboto, "Noto Sans", sans-serif;
  --paper: light-dark(#f4f6f4, #0c1314); --surface: light-dark(#fff, #131c1d); --line: light-dark(#dde4e0, #283637);
  --ink: light-dark(#101a1a, #e9f1ee); --soft: light-dark(#4b5a58, #a6b8b4); --accent: light-dark(#0b6b70, #63d2cb);
  --wash: light-dark(#e0f1ef, #123133)
}
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; background: var(--paper); color: var(--ink) }
h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -.02em; overflow-wrap: anywhere }
a { color: var(--accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: -3px; border-radius: 8px }
small, dt { color: var(--soft) }
code { overflow-wrap: anywhere }
button { font: inherit; font-weight: 600; color: inherit; min-height: 2.75rem; padding: 0 1rem; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); cursor: pointer }
button:hover { background: var(--wash) }`
