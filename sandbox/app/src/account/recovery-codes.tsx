import { type ReactElement, useEffect, useRef } from 'react'
import { CopyButton } from '../design/copy-button.js'
import { Notice } from '../design/feedback.js'

const FILE = 'recovery-codes.txt'

/** Recovery codes, shown once: the server keeps only values to verify them. */
export function RecoveryCodes({
  codes,
  onSaved,
}: {
  readonly codes: readonly string[]
  onSaved(): void
}): ReactElement {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const text = `${codes.join('\n')}\n`
  const download = () => {
    const link = document.createElement('a')
    link.href = `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`
    link.download = FILE
    link.click()
  }
  return (
    <section className="stack setup" aria-labelledby="recovery-codes">
      <h3 id="recovery-codes" ref={heading} tabIndex={-1}>
        Your recovery codes
      </h3>
      <Notice kind="warn" title="Keep them now: they are shown this once.">
        Each lets you in once, when you have lost your device. Keep them where nobody else looks, not in this browser.
      </Notice>
      <ul className="codes mono" aria-label="Recovery codes">
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row">
        <CopyButton text={text} label="Copy recovery codes">
          Copy
        </CopyButton>
        <button type="button" className="button" aria-label="Download recovery codes" onClick={download}>
          Download
        </button>
        <button type="button" className="button button-primary" onClick={onSaved}>
          I have kept them
        </button>
      </div>
    </section>
  )
}
