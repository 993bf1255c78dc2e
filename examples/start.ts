import { openBackEnd } from './back-end.ts'

/** The key of the demo is published; a real one comes from `npm run partner` and stays secret. */
const { url } = await openBackEnd(
  {
    console: process.env.MKOPO_URL ?? 'http://localhost:8080',
    clientId: process.env.MKOPO_CLIENT ?? 'demo-partner',
    secret: process.env.MKOPO_SECRET ?? 'demo-partner-key-that-everybody-knows',
  },
  8090,
)
process.stdout.write(`Partner pages: ${url}/\n`)
