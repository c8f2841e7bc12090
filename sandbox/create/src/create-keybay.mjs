#!/usr/bin/env node
/** `npm create keybay [folder] [-- --template vite|next --plugins <id,…>]`: writes an app. On a terminal it prompts for missing values. */
import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Advice, command } from '@keybay/sandbox-tools/advice'
import { checkAppName, completePlugins, PLUGINS, TEMPLATES, writeApp } from './app.mjs'
import { createInterview, listChoices, readChoices } from './ask.mjs'
import { checkEmpty } from './files.mjs'

const USAGE = `Usage: npm create keybay <folder> [-- --template ${TEMPLATES.map(({ id }) => id).join('|')} --plugins <names>]

${listChoices('Plugins, separated by commas; all of them by default:', PLUGINS).replace('\n>', '')}`

const ALL = PLUGINS.map(({ id }) => id).join(',')

function readArguments() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        template: { type: 'string' },
        plugins: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    const [folder, ...others] = positionals
    if (others.length > 0) throw new Error('Give one folder.')
    return { ...values, folder }
  } catch (error) {
    throw new Advice(`${error instanceof Error ? error.message : error}\n${USAGE}`)
  }
}

/** @param {string} folder @throws {Advice} */
function readFolder(folder) {
  checkAppName(basename(resolve(folder)))
  checkEmpty(folder)
  return folder
}

/** @param {string} answer @throws {Advice} */
function readTemplate(answer) {
  const [id = '', ...others] = readChoices(answer, TEMPLATES)
  const template = TEMPLATES.find(choice => choice.id === id)
  if (!template || others.length > 0) throw new Advice(`Choose one: ${TEMPLATES.map(({ id }) => id).join(' or ')}.`)
  return template
}

/** @param {string} answer @throws {Advice} */
function readPlugins(answer) {
  return completePlugins(readChoices(answer, PLUGINS))
}

const QUESTIONS = {
  folder: { text: 'Folder of the new app', initial: 'my-app', read: readFolder },
  template: { text: listChoices('Template', TEMPLATES), initial: 'vite', read: readTemplate },
  plugins: { text: listChoices('Plugins, separated by commas', PLUGINS), initial: ALL, read: readPlugins },
}

/** @param {ReturnType<typeof readArguments>} given */
async function decide({ folder, template, plugins }) {
  const read = {
    folder: folder === undefined ? undefined : readFolder(folder),
    template: template === undefined ? undefined : readTemplate(template),
    plugins: plugins === undefined ? undefined : readPlugins(plugins),
  }
  if (!process.stdin.isTTY) {
    if (read.folder === undefined) throw new Advice(`Give the folder of the new app.\n${USAGE}`)
    return {
      folder: read.folder,
      template: read.template ?? readTemplate('vite'),
      plugins: read.plugins ?? readPlugins(ALL),
    }
  }
  const interview = createInterview(process.stdin, process.stdout)
  try {
    return {
      folder: read.folder ?? (await interview.ask(QUESTIONS.folder)),
      template: read.template ?? (await interview.ask(QUESTIONS.template)),
      plugins: read.plugins ?? (await interview.ask(QUESTIONS.plugins)),
    }
  } finally {
    interview.close()
  }
}

command(async () => {
  const given = readArguments()
  if (given.help) return console.info(USAGE)
  const { folder, template, plugins } = await decide(given)
  writeApp(resolve(folder), { name: basename(resolve(folder)), template: template.id, plugins })
  const origin = `http://app.localhost:${template.port}`
  console.info(`
Wrote ${folder}: ${template.text}, with ${plugins.join(', ')}.

Then
  1. start the sandbox, in a clone of https://github.com/keybay/keybay:  APP_ORIGINS=${origin} npm start
  2. start the app:  cd ${folder} && npm install && npm run dev
  3. open ${origin}

README.md says what to change for production.
`)
})
