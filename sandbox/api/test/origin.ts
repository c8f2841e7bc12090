/** Where the app of the tests is. Apart, so that a page's test can have it without the service. */
export const APP = 'http://app.localhost:4000'
