/** Styles the dialog of a visible frame: a bottom sheet on phones, a dialog elsewhere, as high as its content and the viewport allow. */

const CLASS = 'keybay-wallet'
const HEIGHT = '--keybay-wallet-height'
/** Bounds of what a frame may ask for: always in sight, and never larger than the viewport. */
const BOUNDED = `clamp(min(120px, 100dvh), var(${HEIGHT}, 320px), 100dvh)`

/** Moves without fading: the frame ignores clicks while it is translucent. The colours are those of the frame. */
const STYLES = `
.${CLASS} {
  box-sizing: border-box;
  width: min(420px, 100vw);
  max-width: none;
  height: ${BOUNDED};
  max-height: none;
  margin: auto;
  padding: 0;
  border: 0;
  border-radius: 14px;
  overflow: hidden;
  color-scheme: light dark;
  color: light-dark(#16181d, #f2f3f5);
  background: light-dark(#fff, #17191e);
  box-shadow: 0 12px 48px rgb(0 0 0 / 0.3);
}
.${CLASS}::backdrop {
  background: rgb(0 0 0 / 0.45);
}
@media (max-width: 480px) {
  .${CLASS} {
    width: 100vw;
    height: min(${BOUNDED} + env(safe-area-inset-bottom, 0px), 100dvh);
    margin-bottom: 0;
    padding-bottom: env(safe-area-inset-bottom, 0px);
    border-radius: 14px 14px 0 0;
  }
}
@media (prefers-reduced-motion: no-preference) {
  .${CLASS}[open] {
    animation: ${CLASS} 0.2s ease-out;
  }
}
@keyframes ${CLASS} {
  from {
    transform: translateY(24px);
  }
}`

let isAdopted = false

/** Uses a constructed style sheet: a content security policy may forbid the page a `<style>` element. */
export function styleSheet(dialog: HTMLDialogElement): void {
  dialog.classList.add(CLASS)
  dialog.style.removeProperty(HEIGHT)
  if (isAdopted) return
  isAdopted = true
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}

export function fitSheet(dialog: HTMLDialogElement, height: number): void {
  dialog.style.setProperty(HEIGHT, `${height}px`)
}

/** Fits a frame in an element of the app, whose own height and the viewport's stay the limits. */
export function fitFrame(frame: HTMLElement, height: number): void {
  frame.style.setProperty(HEIGHT, `${height}px`)
  // A percentage of an element without a height of its own is no limit, and a flex container shrinks the frame.
  frame.style.height = BOUNDED
  frame.style.maxHeight = '100%'
  frame.style.minHeight = '0'
}
