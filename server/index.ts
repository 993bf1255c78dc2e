import { type Config, ConfigError, readConfig } from './config.ts'
import { DirectoryInUse } from './db/lock.ts'
import { demoPassword } from './demo/accounts.ts'
import { createLog } from './log.ts'
import { startServer } from './start.ts'

const stopMs = 10_000

const greet = (config: Config, port: number): string => {
  const host = ['127.0.0.1', '0.0.0.0', '::'].includes(config.host) ? 'localhost' : config.host
  const address = `Mkopo is ready: http://${host}:${port}/\n`
  return config.demo
    ? `${address}Sign in as admin, audit.lead, auditor1, finance1 or finance2 with the password ${demoPassword}\n`
    : address
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

/** What an operator can put right is said in one sentence; anything else with where it came from. */
const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const isUsual = error instanceof ConfigError || error instanceof DirectoryInUse
  return isUsual ? error.message : (error.stack ?? error.message)
}

run().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
})
