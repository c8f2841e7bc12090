/**
 * Compares pictures of a page's parts with the ones in `pictures/`. Text is drawn in a font of the repository, because
 * machines have different ones. `KEYBAY_PICTURES=update` replaces those that differ.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import pixelmatch from 'pixelmatch'
import type { Locator, Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { settled } from './settled.js'

export interface Pictures {
  /** Adds to `problems` how the part looks different; the differences are drawn in `.reports/pictures`. */
  compare(name: string, part: Locator): Promise<void>
  readonly problems: readonly string[]
}

const REFERENCES = fileURLToPath(new URL('../pictures', import.meta.url))
const REPORTS = fileURLToPath(new URL('../.reports/pictures', import.meta.url))
const isUpdate = process.env.KEYBAY_PICTURES === 'update'
const UPDATE = 'KEYBAY_PICTURES=update npm test -w sandbox/testing -- test/catalogue.test.ts'

const { resolve } = createRequire(import.meta.url)
/** Files of one font: Arabic letters, and the rest. */
const FONTS = [
  ['arabic', 'U+0600-06FF, U+0750-077F, U+FB50-FDFF, U+FE70-FEFC'],
  ['latin', 'U+0000-00FF, U+2000-206F, U+2212'],
] as const

/** Pixels of a square that may differ: the edges of letters do between versions of Chromium. Another colour fills it. */
const SQUARE = 24
const MAX_DIFFERENT = 50
/** Distance of two colours from which on they differ, where 1 is black and white: two shades of a notice are 0.05 apart. */
const NOTICED = 0.03

function readFont(name: string): string {
  const file = resolve(`@fontsource-variable/noto-sans-arabic/files/noto-sans-arabic-${name}-wght-normal.woff2`)
  return readFileSync(file).toString('base64')
}

/**
 * Gives all text of the page the font, hides wallets' icons, which may have letters of another, and lets no bar or toast of the
 * app cover a part. Bytes of a font need no permission of the page's policy, unlike its address.
 */
async function setStyle(page: Page): Promise<void> {
  const fonts = FONTS.map(([name, unicodeRange]) => ({ data: readFont(name), unicodeRange }))
  await page.evaluate(async fonts => {
    for (const { data, unicodeRange } of fonts) {
      const bytes = Uint8Array.from(atob(data), letter => letter.charCodeAt(0))
      const font = new FontFace('Pictures', bytes, { weight: '100 900', unicodeRange })
      document.fonts.add(await font.load())
    }
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      // With geometric precision a letter is as wide as the font says; else Chromium rounds by the hints of its build.
      '*, *::before, *::after { font-family: Pictures, sans-serif !important; text-rendering: geometricPrecision !important; }' +
        'header, .keybay-toasts { position: static !important; } .skip-link { display: none !important; }' +
        // Otherwise a part that just fits is scrolled partly out of the window.
        'html { scroll-padding: 0 !important; } nav, img { visibility: hidden !important; }' +
        // The page behind a dialog shows at its corners. In the middle of the window it may start within a pixel.
        'dialog::backdrop { background: gray !important; } dialog:modal { margin-top: 8px !important; }',
    )
    document.adoptedStyleSheets.push(sheet)
  }, fonts)
}

/** Runs in the page. Moves a part to a whole pixel, so that its picture does not depend on the height of what is above. */
function alignToPixels(part: Element): void {
  if (!(part instanceof HTMLElement)) return
  const { top } = part.getBoundingClientRect()
  part.style.marginTop = `${Number.parseFloat(getComputedStyle(part).marginTop) + Math.ceil(top) - top}px`
}

/** Makes a picture smaller: plain colours compress best without filters. */
function pack(picture: Buffer): Buffer {
  return PNG.sync.write(PNG.sync.read(picture), { colorType: 2, deflateStrategy: 0, filterType: 0 })
}

/** Returns how the pictures differ; undefined for no more than `MAX_DIFFERENT`. */
function findDifference(name: string, actual: Buffer, reference: Buffer): string | undefined {
  const [now, before] = [PNG.sync.read(actual), PNG.sync.read(reference)]
  const { width, height } = before
  if (now.width !== width || now.height !== height)
    return `${name} is ${now.width} × ${now.height} pixels, and was ${width} × ${height}`
  const drawn = new PNG({ width, height })
  const count = pixelmatch(before.data, now.data, drawn.data, width, height, { windowSize: SQUARE, threshold: NOTICED })
  if (count <= MAX_DIFFERENT) return undefined
  writeFileSync(`${REPORTS}/${name}.difference.png`, PNG.sync.write(drawn))
  return `${name}: ${count} pixels of ${SQUARE} × ${SQUARE} look different: see .reports/pictures/${name}.difference.png`
}

/**
 * @example
 * const { compare, problems } = await comparePictures(page)
 * await compare('en-light-buttons', page.locator('[data-state=buttons]'))
 * expect(problems).toEqual([])
 */
export async function comparePictures(page: Page): Promise<Pictures> {
  const problems: string[] = []
  for (const folder of [REFERENCES, REPORTS]) mkdirSync(folder, { recursive: true })
  await setStyle(page)
  return {
    problems,
    async compare(name, part) {
      const reference = `${REFERENCES}/${name}.png`
      // Wherever the last click was, the mouse may be over a button now.
      await page.mouse.move(0, 0)
      await settled(page)
      await part.evaluate(alignToPixels)
      const draw = () => part.screenshot({ animations: 'disabled', path: `${REPORTS}/${name}.png` })
      const findProblem = (actual: Buffer) =>
        existsSync(reference)
          ? findDifference(name, actual, readFileSync(reference))
          : `${name} has no picture in ${dirname(reference)}`
      let previous: Buffer | undefined
      let actual = await draw()
      // A part that still changes is drawn again, until two pictures in a row are the same.
      while (findProblem(actual) && !previous?.equals(actual)) {
        previous = actual
        actual = await draw()
      }
      const difference = findProblem(actual)
      if (difference && isUpdate) writeFileSync(reference, pack(actual))
      else if (difference) problems.push(`${difference}. If it should: ${UPDATE}`)
    },
  }
}
