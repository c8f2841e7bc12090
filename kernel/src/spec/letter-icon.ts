/**
 * Returns an icon for a wallet that brings none: the first letter of its name, on a colour. The kit ships no logos, which are
 * trademarks of their owners.
 *
 * @param name starts with a Latin letter or a digit
 * @example createLetterIcon('Acme', '#555')
 */
export function createLetterIcon(name: string, colour: string): `data:image/svg+xml;base64,${string}` {
  const letter = name.charAt(0).toUpperCase()
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><rect width='8' height='8' rx='2' fill='${colour}'/><text x='4' y='5.9' text-anchor='middle' font-family='system-ui,sans-serif' font-weight='600' font-size='5' fill='#fff'>${letter}</text></svg>`
  return `data:image/svg+xml;base64,${btoa(svg)}`
}
