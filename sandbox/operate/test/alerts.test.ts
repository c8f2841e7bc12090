/** Tests alerts, dashboards and Prometheus's configuration by its own tool, and by METRICS.md. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { PROMTOOL, requireProgram } from '@keybay/sandbox-tools/programs'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { parseYaml } from './compose.js'
import {
  ALERTS_FILE,
  listAlertQueries,
  listDashboards,
  listGroupLabels,
  listJobs,
  listQueries,
  listSelectors,
} from './queries.js'

const run = promisify(execFile)
const DASHBOARDS = listDashboards()

async function promtool(...args: readonly string[]): Promise<string> {
  const { stdout } = await run(requireProgram(PROMTOOL), args)
  return stdout
}

/** Labels of each metric, as METRICS.md names them. */
function readLabels(): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync(fileURLToPath(new URL('../METRICS.md', import.meta.url)), 'utf8')
  const rows = [...text.matchAll(/^\| (`[^|]+) \| ([^|]*)\|/gm)]
  return new Map(
    rows.flatMap(([, names = '', labels = '']) => {
      const [first = '', ...rest] = names.match(/(?<=`)\w+(?=`)/g) ?? []
      // The table shortens the second of two names to its end.
      const all = [first, ...rest.map(end => (end.startsWith('_') ? first.replace(/_[a-z]+$/, end) : end))]
      return all.map(name => [name, labels.match(/(?<=`)\w+(?=`)/g) ?? []] as const)
    }),
  )
}

it('promtool accepts the alerts, and each fires when its test says', async () => {
  expect(await promtool('check', 'rules', ALERTS_FILE)).toMatch(/SUCCESS: \d+ rules found/)
  const tests = fileURLToPath(new URL('./alerts-promtool.yml', import.meta.url))
  expect(await promtool('test', 'rules', tests)).toContain('SUCCESS')
})

it('promtool accepts Prometheus’s configuration with the jobs of every service', async () => {
  const folder = temporaryFolder()
  // Debian’s Prometheus is older than the files of jobs.
  const { scrape_config_files, ...config } = Object(parseYaml('prometheus/prometheus.yml'))
  expect(scrape_config_files).toEqual(['jobs/*.yml'])
  const jobs = ['product', 'r1', 'r2'].flatMap(name => listJobs(`prometheus/${name}.yml`))
  const names = jobs.map(job => Object(job).job_name)
  expect(names).toEqual(['keybay-api', 'keybay-custody', 'keybay-frame', 'keybay-r1', 'keybay-r2'])
  mkdirSync(join(folder, 'jobs'))
  cpSync(ALERTS_FILE, join(folder, 'alerts.yml'))
  writeFileSync(join(folder, 'prometheus.yml'), stringify({ ...config, scrape_configs: jobs }))
  expect(await promtool('check', 'config', join(folder, 'prometheus.yml'))).toContain('is valid prometheus config')
})

it('alerts and dashboards use only the labels that METRICS.md names', () => {
  const labels = readLabels()
  const queries = [...listAlertQueries(), ...DASHBOARDS.flatMap(listQueries)]
  expect(queries.length).toBeGreaterThan(30)
  for (const query of queries) {
    const selectors = listSelectors(query)
    expect([query, selectors.length]).not.toEqual([query, 0])
    for (const { metric, labels: used } of selectors) {
      if (/^(up|process_|nodejs_)/.test(metric)) continue
      const known = ['job', 'instance', 'le', ...(labels.get(metric) ?? ['none'])]
      expect([metric, labels.has(metric)]).toEqual([metric, true])
      for (const label of [...used, ...listGroupLabels(query)])
        expect([query, known]).toEqual([query, expect.arrayContaining([label])])
    }
  }
})

describe.each(DASHBOARDS)('dashboard $title', dashboard => {
  it('has queries that Prometheus reads', async () => {
    const file = join(temporaryFolder(), 'rules.yml')
    const rules = listQueries(dashboard).map((expr, index) => ({ record: `query:${index}`, expr }))
    writeFileSync(file, stringify({ groups: [{ name: dashboard.uid, rules }] }))
    expect(await promtool('check', 'rules', file)).toContain(`SUCCESS: ${rules.length} rules found`)
  })

  it('has panels with ids of their own that do not overlap, and reads the provisioned source', () => {
    const { panels, templating } = dashboard
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const cells = panels.map(({ gridPos: { x, y, w, h } }) => ({ at: `${x},${y}`, isInside: x + w <= 24, size: w * h }))
    expect(new Set(cells.map(({ at }) => at)).size).toBe(panels.length)
    expect(cells.every(({ isInside, size }) => isInside && size === 96)).toBe(true)
    const [source] = Object(parseYaml('grafana/provisioning/datasources/prometheus.yml')).datasources
    expect(new Set(panels.map(({ datasource }) => datasource.uid))).toEqual(new Set([source.uid]))
    expect(templating.list.map(({ name }) => name)).toEqual(['job'])
    for (const { targets } of panels)
      for (const { expr, legendFormat } of targets) {
        expect(expr).toContain('job=~"$job"')
        expect(legendFormat).toContain('{{job}}')
      }
  })
})

it('every dashboard has an address of its own', () => {
  expect(new Set(DASHBOARDS.map(({ uid }) => uid)).size).toBe(DASHBOARDS.length)
  expect(DASHBOARDS.length).toBe(3)
})
