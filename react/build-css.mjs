/** Writes the kit's one style sheet. */
import { readFileSync, writeFileSync } from 'node:fs'

const files = ['ui', 'parts', 'lists', 'views', 'wallet']
const sheets = files.map(name => readFileSync(new URL(`src/ui/${name}.css`, import.meta.url), 'utf8'))
writeFileSync(new URL('dist/ui/ui.css', import.meta.url), sheets.join('\n'))
