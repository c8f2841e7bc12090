/** Origin of the tests' app, in its own file so that a page's test can import it without the service. */
export const APP = 'http://app.localhost:4000'
