/** A plugin that opens prompts as other plugins do, so that the catalogue can show their views. */
import { definePlugin, type Kernel } from '@keybay/kernel'

export interface CatalogueApi {
  readonly ask: Kernel['prompt']
}

export const catalogue = definePlugin({
  id: 'catalogue',
  version: '0.1.0',
  setup: ({ prompt }): { readonly api: CatalogueApi } => ({ api: { ask: prompt } }),
})
