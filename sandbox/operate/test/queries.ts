/** Queries for Prometheus, of alerts and dashboards, and what they read. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { parseYaml, readDeployFile } from './compose.js'

export const ALERTS_FILE = fileURLToPath(new URL('../alerts.yml', import.meta.url))
const DASHBOARDS = 'grafana/dashboards'

interface Panel {
  readonly id: number
  readonly title: string
  readonly type: string
  readonly datasource: { readonly uid: string }
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[]
}
export interface Dashboard {
  readonly uid: string
  readonly title: string
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: string }[] }
}

export function listAlertQueries(): readonly string[] {
  const { groups } = parse(readFileSync(ALERTS_FILE, 'utf8'))
  return groups.flatMap(({ rules }: { readonly rules: readonly { readonly expr: string }[] }) =>
    rules.map(({ expr }) => expr),
  )
}

export function listDashboards(): readonly Dashboard[] {
  const folder = new URL(`../../deploy/${DASHBOARDS}/`, import.meta.url)
  return readdirSync(folder).map(name => JSON.parse(readDeployFile(`${DASHBOARDS}/${name}`)))
}

/** Returns a dashboard's queries, with a value for each of Grafana's variables. */
export function listQueries({ panels }: Dashboard): readonly string[] {
  return panels.flatMap(({ targets }) =>
    targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '1m').replaceAll('$job', '.+')),
  )
}

/** Returns the jobs of Prometheus, from the files of `sandbox/deploy`. */
export function listJobs(file: string): readonly object[] {
  return Object(parseYaml(file)).scrape_configs
}

/** Returns the metrics that a query reads, as a service names them, each with the labels that select. */
export function listSelectors(
  query: string,
): readonly { readonly metric: string; readonly labels: readonly string[] }[] {
  return [...query.matchAll(/\b(up|(?:http|keybay|nodejs|process)_\w+)(?:\{([^}]*)\}|(?=\[| |\)|$))/g)].map(
    ([, name = '', selector = '']) => ({
      metric: name.replace(/_(?:bucket|count|sum)$/, ''),
      labels: selector.match(/\w+(?=!?=~?")/g) ?? [],
    }),
  )
}

/** Returns the labels that a query groups by. */
export function listGroupLabels(query: string): readonly string[] {
  return [...query.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(', '))
}
