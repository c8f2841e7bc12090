/** Codes that only the first chunk of a page raises: the kernel as it starts and connects. */
import { type ErrorSpec, errorSpec } from './keybay-error.js'

export const appNameNotSet: ErrorSpec = /* @__PURE__ */ errorSpec('config_app_name', 'appName not set')
export const unknownConnector: ErrorSpec = /* @__PURE__ */ errorSpec('connector_unknown', 'Unknown connector', 5)
export const pluginMissing: ErrorSpec = /* @__PURE__ */ errorSpec('plugin_missing', 'Missing plugin')
export const pluginDuplicate: ErrorSpec = /* @__PURE__ */ errorSpec(
  'plugin_duplicate',
  'Two plugins have the same id. Remove one',
)
export const versionMismatch: ErrorSpec = /* @__PURE__ */ errorSpec(
  'version_mismatch',
  'Keybay packages differ in version',
)
