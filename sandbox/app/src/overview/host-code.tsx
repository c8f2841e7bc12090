import source from './your-code.tsx?raw'

/** The code follows this comment in its file, which the compiler checks. */
const START = '// The home page shows the rest of this file.\n'

/** Shows what an app writes so that its users sign in and have a wallet. */
export function HostCode() {
  return (
    <figure className="host-code">
      <figcaption>All it takes in your app</figcaption>
      <pre dir="ltr">
        <code>{source.split(START)[1]?.replaceAll('export ', '').trim()}</code>
      </pre>
    </figure>
  )
}
