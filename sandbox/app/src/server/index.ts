/** Server of the host app. `main.ts` runs it; tests start it in their own process with `startApp`. */
export { type App, type AppOptions, startApp } from './start-app.js'
