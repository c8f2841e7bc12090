import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { promisify } from 'node:util'
import { findViolations } from '@keybay/sandbox-testing/axe'
import { launchBrowser } from '@keybay/sandbox-tools/launch-browser'
import { packages } from '@keybay/sandbox-tools/repo'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { listSections, routeOf } from '../src/sections.mjs'
import { folder, site } from '../src/site.mjs'

const BUILD_TIMEOUT_MS = 600_000

/** Each built page, from the site's folder, and its HTML. */
const pages = new Map<string, string>()
/** Text of each built script and style sheet. */
const files = new Map<string, string>()

function readReference(): readonly { readonly page: string; readonly text: string }[] {
  const reference = join(folder, 'dist/pages/reference')
  return readdirSync(reference, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.md'))
    .map(file => ({ page: file, text: readFileSync(join(reference, file), 'utf8') }))
}

/** In a process of its own: Vitest sets NODE_ENV, and Vue would render as in development. */
const BUILD = "import { buildSite } from './src/site.mjs'; await buildSite()"

beforeAll(async () => {
  const env = { ...process.env, NODE_ENV: 'production', KEYBAY_DOCS_PLAIN: '1' }
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', BUILD], { cwd: folder, env })
  for (const entry of readdirSync(site, { recursive: true, encoding: 'utf8' })) {
    if (entry.endsWith('.html')) pages.set(entry, readFileSync(join(site, entry), 'utf8'))
    if (/\.(js|css)$/.test(entry)) files.set(entry, readFileSync(join(site, entry), 'utf8'))
  }
}, BUILD_TIMEOUT_MS)

/** Returns the page to which a link leads, and its anchor. */
function follow(page: string, link: string): { readonly target: string; readonly anchor: string } {
  const [path = '', anchor = ''] = link.split('#')
  const joined = path === '' ? page : path.startsWith('/') ? path.slice(1) : posix.join(dirname(page), path)
  const target = joined === '' || joined.endsWith('/') ? `${joined}index.html` : joined
  return { target, anchor: decodeURIComponent(anchor) }
}

it('every link and anchor of the built pages leads to a built page and an id on it', () => {
  const broken = [...pages].flatMap(([page, html]) =>
    [...html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)].flatMap(([, link = '']) => {
      if (/^[a-z]+:/.test(link)) return []
      const { target, anchor } = follow(page, link)
      const text = pages.get(target) ?? pages.get(`${target}.html`)
      if (text === undefined) return existsSync(join(site, target)) ? [] : [`${page}: ${link}`]
      return anchor === '' || text.includes(`id="${anchor}"`) ? [] : [`${page}: ${link}`]
    }),
  )
  expect(pages.size).toBeGreaterThan(80)
  expect(broken).toEqual([])
})

it('the built pages load no script, style, image, font or frame from another host', () => {
  const ofPages = [...pages].flatMap(([page, html]) =>
    [...html.matchAll(/<(?:script|link|img|iframe|source)\b[^>]*?\s(?:src|href)="((?:https?:)?\/\/[^"]*)"/g)].map(
      ([, address]) => `${page}: ${address}`,
    ),
  )
  // Scripts are left out: the theme has an address for icons of social networks, which this site does not use.
  const styles = [...files].filter(([file]) => file.endsWith('.css'))
  const ofStyles = [...pages, ...styles].flatMap(([file, text]) =>
    [...text.matchAll(/@import\s+url\([^)]*|url\(["']?(?:https?:)?\/\/[^)]*/g)].map(
      ([address]) => `${file}: ${address}`,
    ),
  )
  expect([...ofPages, ...ofStyles]).toEqual([])
})

it('the search index is a file of the site and contains hooks and error codes', () => {
  const index = [...files].filter(([file]) => file.includes('localSearchIndex')).map(([, text]) => text)
  expect(index).toHaveLength(1)
  for (const term of ['useConnectors', 'origin_not_allowed']) expect(index[0]).toContain(term)
})

it('diagrams are drawn in the page', () => {
  const concepts = pages.get('sandbox/docs/concepts.html') ?? ''
  expect(concepts.match(/<div class="diagram"[^>]*><svg/g)).toHaveLength(4)
  expect(concepts).toMatch(/<text[^>]*>your app<\/text>/)
  const home = pages.get('index.html') ?? ''
  expect(home).toContain('<div class="diagram"')
  expect(home).not.toContain('&lt;br/&gt;')
})

it('the sidebar lists every page of the repository once, and each is built', () => {
  const listed = listSections().flatMap(section => section.pages)
  expect(new Set(listed).size).toBe(listed.length)
  const built = listed.map(page => follow('', routeOf(page)).target)
  expect(built.filter(target => !pages.has(target) && !pages.has(`${target}.html`))).toEqual([])
})

it('every published package has a page with an example and a page of its reference', () => {
  const published = packages().filter(pkg => pkg.published)
  expect(published.length).toBeGreaterThan(10)
  for (const pkg of published) {
    expect(pages.get(`${pkg.folder}/index.html`)).toMatch(/class="language-tsx? /)
    expect([...pages.keys()]).toContain(`reference/${pkg.name}.html`)
  }
})

it('every hook, component and plugin function of the reference has an example', () => {
  const functions = readReference().flatMap(({ page, text }) =>
    text
      .split(/^(?=### )/m)
      .filter(section => /^### \w+\(\)/.test(section))
      .map(section => ({ page, name: /^### (\w+)/.exec(section)?.[1] ?? '', section })),
  )
  const documented = functions.filter(
    ({ page, name, section }) =>
      (/^(use[A-Z]|[A-Z])/.test(name) && /react(\/ui)?\.md$/.test(page)) ||
      /^function [^;]*\): (?:\w*Plugin)\b/m.test(section),
  )
  const names = documented.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['useConnectors', 'ConnectDialog', 'solana', 'google', 'waas', 'turnkey']),
  )
  expect(documented.filter(({ section }) => !/^#+ Example/m.test(section)).map(({ name }) => name)).toEqual([])
})

/** A page of each kind: home, diagrams, long code and tables, and the reference. */
const KINDS = ['/', '/sandbox/docs/concepts', '/plugins/solana/', '/reference/@keybay/passkey']
/** The narrowest phone, and a window of 1280 × 720 pixels, also at 200 % zoom. */
const LOOKS = [
  { width: 320, height: 800, colours: 'dark' },
  { width: 640, height: 360, colours: 'light' },
  { width: 1280, height: 720, colours: 'dark' },
] as const

it('the pages have no axe violations, and none is too wide', async () => {
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage({ reducedMotion: 'reduce' })
  await page.route('**/*', (route, request) => {
    const { target } = follow('', new URL(request.url()).pathname)
    const body = pages.get(target) ?? pages.get(`${target}.html`)
    return body === undefined
      ? route.fulfill({ path: join(site, target) })
      : route.fulfill({ body, contentType: 'text/html' })
  })
  const problems: string[] = []
  for (const path of KINDS) {
    await page.goto(`http://docs.localhost${path}`, { waitUntil: 'networkidle' })
    for (const { colours, ...viewport } of LOOKS) {
      await page.emulateMedia({ colorScheme: colours })
      await page.setViewportSize(viewport)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      const found = width > viewport.width ? [`${width} px wide`] : await findViolations(page)
      problems.push(...found.map(line => `${path}, ${viewport.width} px, ${colours}: ${line}`))
    }
  }
  expect(problems).toEqual([])
})
