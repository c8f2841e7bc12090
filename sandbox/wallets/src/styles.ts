/**
 * Styles of the windows. A separate shadow root keeps the page's styles out; light and dark follow the user's system.
 */
const CSS = `
:host { all: initial; color-scheme: light dark;
  --surface: light-dark(#ffffff, #17191f); --raised: light-dark(#f5f6f8, #20232b); --line: light-dark(#e2e5ea, #31353f);
  --text: light-dark(#14161a, #f3f4f7); --muted: light-dark(#5a6270, #a7afbd); --accent: light-dark(#5546d6, #a89dff);
  --on-accent: light-dark(#ffffff, #14161a); --warn: light-dark(#8a4b00, #ffc069); --warn-bg: light-dark(#fff4e2, #33270f);
  font: 14px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; color: var(--text) }
* { box-sizing: border-box; margin: 0 }
h2 { font-size: 20px; line-height: 1.3; letter-spacing: -.01em }
dialog { position: fixed; inset: 16px 16px auto auto; width: min(376px, calc(100vw - 32px)); max-height: calc(100dvh - 32px);
  padding: 0; border: 1px solid var(--line); border-radius: 20px; background: var(--surface); color: var(--text);
  box-shadow: 0 24px 64px rgb(0 0 0 / .28); overflow: hidden }
dialog[open] { display: flex; flex-direction: column; animation: rise .16s ease-out }
dialog::backdrop { background: rgb(10 12 16 / .45) }
@keyframes rise { from { opacity: 0; transform: translateY(-8px) scale(.98) } }
.head { display: flex; align-items: center; gap: 10px; padding: 14px 18px; border-bottom: 1px solid var(--line); font-weight: 600 }
.head img { width: 24px; height: 24px; border-radius: 7px }
.head .badge { margin-inline-start: auto }
.badge { padding: 2px 9px; border-radius: 99px; background: var(--raised); color: var(--muted); font-size: 12px; font-weight: 500 }
.body { display: grid; gap: 16px; padding: 20px 18px; overflow-y: auto; outline-offset: -3px }
.lead { margin-top: 4px; color: var(--muted) }
.site { display: flex; align-items: center; gap: 12px; padding: 12px; border-radius: 14px; background: var(--raised) }
.mark { flex: none; width: 36px; height: 36px; border-radius: 11px; display: grid; place-items: center; font-weight: 700;
  background: var(--surface); border: 1px solid var(--line) }
.avatar { flex: none; width: 36px; height: 36px; border-radius: 50% }
.grow { min-width: 0; flex: 1; display: grid }
.strong { font-weight: 600; overflow-wrap: anywhere }
.small { font-size: 12px; color: var(--muted); overflow-wrap: anywhere }
.mono { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, monospace; font-size: 12px }
pre { max-height: 220px; overflow: auto; padding: 12px; border: 1px solid var(--line); border-radius: 12px;
  white-space: pre-wrap; overflow-wrap: anywhere; font: 12.5px/1.55 ui-monospace, 'SF Mono', Menlo, Consolas, monospace }
.card > * + * { padding-top: 10px; border-top: 1px solid var(--line) }
.card { display: grid; gap: 10px; padding: 14px; border: 1px solid var(--line); border-radius: 14px }
.amount { font-size: 26px; font-weight: 650; letter-spacing: -.02em; line-height: 1.2 }
.warning { padding: 10px 12px; border-radius: 12px; background: var(--warn-bg); color: var(--warn); font-size: 13px }
.foot { display: grid; grid-template-columns: 1fr 1fr; gap: 10px; padding: 14px 18px 18px }
.foot.one { grid-template-columns: 1fr }
button { font: inherit; font-weight: 600; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 12px;
  min-height: 44px; padding: 8px 14px; cursor: pointer }
button:hover:not(:disabled) { border-color: var(--muted) }
button:disabled { color: var(--muted); cursor: not-allowed; opacity: .7 }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent) }
button.primary:hover { filter: brightness(1.08) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
ul { list-style: none; padding: 0; display: grid; gap: 8px }
.account { width: 100%; display: flex; align-items: center; gap: 12px; text-align: start; font-weight: 400 }
.account[aria-pressed=true] { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent) }
.tick { color: var(--accent); font-weight: 700 }
.actions { display: grid; grid-template-columns: 1fr 1fr; gap: 8px }
.launcher { position: fixed; inset: auto 16px 16px auto; width: 52px; min-height: 52px; padding: 0; border-radius: 50%; display: grid;
  place-items: center; background: var(--surface); box-shadow: 0 8px 24px rgb(0 0 0 / .22); z-index: 2147483000 }
.launcher img { width: 28px; height: 28px; border-radius: 8px }
@media (max-width: 480px) {
  dialog { inset: auto 0 0 0; width: 100%; max-width: 100%; border-radius: 20px 20px 0 0; margin: 0 }
  @keyframes rise { from { opacity: 0; transform: translateY(16px) } }
}
@media (prefers-reduced-motion: reduce) { dialog[open] { animation: none } }
`

/** Creates a constructed style sheet, which a page's content security policy does not block. */
export function createStyleSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(CSS)
  return sheet
}
