/** The panel's styles. A constructed sheet, because a content security policy may refuse a `style` element. */

const CSS = `
:host { all: initial }
* { box-sizing: border-box; margin: 0 }
[hidden] { display: none !important }
aside {
  --surface: var(--keybay-surface, light-dark(#fff, #14191c));
  --raised: var(--keybay-raised, light-dark(#f1f4f3, #1e262a));
  --line: light-dark(#d5dcd9, #38444a);
  --ink: var(--keybay-ink, light-dark(#14191c, #e8eef0));
  --soft: var(--keybay-ink-soft, light-dark(#4d5a5e, #a7b5ba));
  --bad: var(--keybay-error, light-dark(#a8261d, #ff9d92));
  position: fixed; z-index: 2147483000; inset: 0 0 0 auto; width: min(24rem, 100vw);
  display: flex; flex-direction: column; gap: 0.75rem; padding: 1rem;
  border-left: 1px solid var(--line); background: var(--surface); color: var(--ink);
  font: 0.875rem/1.4 var(--keybay-font, system-ui, sans-serif);
}
h2 { font-size: 1.0625rem; font-weight: 600 }
.head, .tools, [role=tablist] { display: flex; align-items: center; gap: 0.5rem }
.head { justify-content: space-between }
button, input { min-height: 2.75rem; font: inherit; color: inherit; border-radius: 8px; border: 1px solid var(--line); background: none }
button { min-width: 2.75rem; padding: 0 0.625rem; cursor: pointer }
button:hover, summary:hover, [aria-pressed=true], [aria-selected=true] { background: var(--raised) }
[role=tab] { flex: 1 }
[aria-pressed=true], [aria-selected=true] { border-color: var(--soft); font-weight: 600 }
input { flex: 1; min-width: 0; padding: 0 0.625rem }
input::placeholder { color: var(--soft); opacity: 1 }
:focus-visible { outline: 2px solid var(--keybay-accent, light-dark(#0b6b70, #63d2cb)); outline-offset: 1px }
[role=status]:empty { display: none }
[role=status] { padding: 0.5rem 0.75rem; border-radius: 8px; background: var(--raised) }
.content { flex: 1; min-height: 0; overflow: auto; overscroll-behavior: contain; padding: 2px }
ol { list-style: none; padding: 0 }
li { border-top: 1px solid var(--line) }
summary { display: flex; gap: 0.5rem; align-items: center; justify-content: space-between; min-height: 2.75rem; padding: 0.25rem; cursor: pointer; border-radius: 8px }
summary::marker { content: "" }
summary::-webkit-details-marker { display: none }
.name { min-width: 0; overflow-wrap: anywhere }
.mono, pre { font-family: ui-monospace, monospace; font-size: 0.8125rem }
.gist { display: block; color: var(--soft); font: 0.75rem/1.4 var(--keybay-font, system-ui, sans-serif); overflow-wrap: anywhere }
time, td { color: var(--soft); font-size: 0.75rem; font-variant-numeric: tabular-nums; white-space: nowrap }
pre { padding: 0.75rem; margin-bottom: 0.75rem; border-radius: 8px; background: var(--raised); white-space: pre-wrap; overflow-wrap: anywhere }
table { width: 100%; border-collapse: collapse; margin-bottom: 0.75rem }
caption { text-align: start; padding-bottom: 0.25rem; color: var(--soft); font-size: 0.75rem }
th, td { padding: 0.25rem; text-align: start; vertical-align: top; font-weight: 400; overflow-wrap: anywhere }
thead th { color: var(--soft); font-size: 0.75rem }
tbody tr { border-top: 1px solid var(--line) }
.state td { white-space: normal; overflow-wrap: anywhere }
.track { display: block; height: 0.375rem; margin-top: 0.25rem; border-radius: 3px; background: var(--raised); overflow: hidden }
.bar { display: block; min-width: 2px; height: 100%; border-radius: 3px; background: #6b7a80 }
.bar[data-kind=prompt] { background: #d08a1d }
.bar[data-kind=step] { background: #3f78c9 }
.bar[data-kind=wallet], .bar[data-kind=frame] { background: #8a63d2 }
.bar[data-kind=relay] { background: #12909a }
.bar[data-kind=rpc] { background: #3b9a5f }
th[data-outcome=failed], .name[data-outcome=failed] { color: var(--bad) }
.bar[data-outcome=failed] { background: var(--bad) }
@media (prefers-reduced-motion: no-preference) {
  .bar[data-outcome=pending] { animation: wait 1.2s ease-in-out infinite alternate }
  @keyframes wait { to { opacity: 0.4 } }
}
@media (max-width: 79.99rem) {
  aside { inset: auto 0 0 0; width: auto; height: clamp(14rem, 38dvh, 30rem); border: 1px solid var(--line); border-radius: 20px 20px 0 0 }
}
`

export function styles(): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(CSS)
  return sheet
}
