import { defineConfig } from 'vite'

// The services of the sandbox answer to the origin in APP_ORIGINS, so the port stays the same.
const server = { port: 5173, strictPort: true }

export default defineConfig({ server, preview: server })
