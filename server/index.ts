import { ConfigError, type Config, readConfig } from './config.ts'
import { demoPassword } from './demo/accounts.ts'
import { createLog } from './log.ts'
import { startServer } from './start.ts'

const stopMs = 10_000

const greet = (config: Config, port: number): string => {
  const host = ['127.0.0.1', '0.0.0.0', '::'].includes(config.host) ? 'localhost' : config.host
  const address = `Mkopo is ready: http://${host}:${port}/\n`
  return config.demo ? `${address}Sign in as admin, audit.lead, auditor1, finance1 or finance2 with the password ${demoPassword}\n` : address
}

const run = async (): Promise<void> => {
  const config = readConfig()
  const log = createLog(config.logLevel)
  const running = await startServer(config, log)
  process.stdout.write(greet(config, running.port))

  const stop = (signal: string) => {
    log.info({ event: 'server.stopping', signal }, 'stopping')
    setTimeout(() => process.exit(1), stopMs).unref()
    running.stop().then(
      () => process.exit(0),
      error => {
        log.error({ event: 'server.stop', err: error }, 'did not stop in order')
        process.exit(1)
      },
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

run().catch((error: unknown) => {
  const told = error instanceof ConfigError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`${told}\n`)
  process.exit(1)
})
