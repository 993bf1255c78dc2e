import { openBackEnd } from './back-end.ts'

const port = Number(process.env.EXAMPLES_PORT || 8090)
/** The key of the demo is published; a real one comes from `npm run partner` and stays secret. */
const partner = {
  console: process.env.MKOPO_URL || 'http://localhost:8080',
  clientId: process.env.MKOPO_CLIENT || 'demo-partner',
  secret: process.env.MKOPO_SECRET || 'demo-partner-key-that-everybody-knows',
}

const refuse = (message: string): never => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

if (!Number.isInteger(port) || port < 1 || port > 65_535) refuse('EXAMPLES_PORT must be a port from 1 to 65535.')
const opened = await openBackEnd(partner, port).catch((error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE') throw error
  return refuse(`Port ${port} is taken. Choose another: EXAMPLES_PORT=${port + 1} for npm start and npm run examples.`)
})
process.stdout.write(`Partner pages: ${opened.url}/, with the console at ${partner.console}\n`)
