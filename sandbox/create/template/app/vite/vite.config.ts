import { defineConfig } from 'vite'

// The services of the sandbox answer to one origin, the one in APP_ORIGINS.
const server = { port: 5173, strictPort: true, open: 'http://app.localhost:5173' }

export default defineConfig({ server, preview: server })
