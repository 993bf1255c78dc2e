import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

/** The environment is not fit to start with; the message says what to set. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

export type Momo = {
  baseUrl: string
  subscriptionKey: string
  apiUser: string
  apiKey: string
  /** Where the provider reaches this server. */
  callbackHost: string
  targetEnvironment: string
}

export type Config = {
  port: number
  host: string
  databaseUrl: string | undefined
  /** The same database as its owner, who alone migrates; the server itself then has no right to change history. */
  ownerUrl: string | undefined
  poolSize: number
  dataDir: string
  /** Demo data, simulators and a demo sign-in. */
  demo: boolean
  production: boolean
  logLevel: string
  /** Root of keyed hashes and sealed values. */
  secretKey: Buffer
  /** Undefined where the provider is not set up; a demo then uses its simulator. */
  momo: Momo | undefined
  /** Where the simulator of a demo listens; 0 takes a free port. */
  simulatorPort: number
}

const url = (...protocols: string[]) =>
  z.string().refine(
    value => {
      try {
        return protocols.includes(new URL(value).protocol)
      } catch {
        return false
      }
    },
    `must be a URL that starts with ${protocols.map(protocol => `${protocol}//`).join(' or ')}`,
  )

const whole = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine(value => value >= from && value <= to, `must be from ${from} to ${to}`)

const text = z.string()
const secret = z.string().min(32, 'must have at least 32 characters')
const oneOf = <const V extends readonly [string, ...string[]]>(...values: V) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` })

const environment = z.object({
  PORT: whole(0, 65_535).default(8080),
  HOST: text.optional(),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  DATABASE_OWNER_URL: url('postgres:', 'postgresql:').optional(),
  DATABASE_POOL_SIZE: whole(1, 200).default(10),
  DATA_DIR: text.default('.data'),
  MKOPO_DEMO: oneOf('0', '1').optional(),
  NODE_ENV: oneOf('development', 'test', 'production').default('development'),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent').default('info'),
  SECRET_KEY: secret.optional(),
  MOMO_BASE_URL: url('http:', 'https:').optional(),
  MOMO_SUBSCRIPTION_KEY: text.optional(),
  MOMO_API_USER: text.optional(),
  MOMO_API_KEY: text.optional(),
  MOMO_CALLBACK_HOST: url('http:', 'https:').optional(),
  MOMO_TARGET_ENVIRONMENT: text.default('mtnuganda'),
  SIMULATOR_PORT: whole(0, 65_535).default(0),
})
type Environment = z.infer<typeof environment>

const parse = (env: NodeJS.ProcessEnv): Environment => {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  )
  const result = environment.safeParse(given)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new ConfigError(`${issue?.path.join('.')} ${issue?.message}.`)
}

const momoOf = (env: Environment): Momo | undefined => {
  const parts = {
    MOMO_BASE_URL: env.MOMO_BASE_URL,
    MOMO_SUBSCRIPTION_KEY: env.MOMO_SUBSCRIPTION_KEY,
    MOMO_API_USER: env.MOMO_API_USER,
    MOMO_API_KEY: env.MOMO_API_KEY,
    MOMO_CALLBACK_HOST: env.MOMO_CALLBACK_HOST,
  }
  const missing = Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [name] : []))
  if (missing.length === Object.keys(parts).length) return undefined
  if (missing.length > 0) throw new ConfigError(`MTN MoMo is set up in part only: ${missing.join(', ')} is missing.`)
  return {
    baseUrl: (env.MOMO_BASE_URL ?? '').replace(/\/+$/, ''),
    subscriptionKey: env.MOMO_SUBSCRIPTION_KEY ?? '',
    apiUser: env.MOMO_API_USER ?? '',
    apiKey: env.MOMO_API_KEY ?? '',
    callbackHost: (env.MOMO_CALLBACK_HOST ?? '').replace(/\/+$/, ''),
    targetEnvironment: env.MOMO_TARGET_ENVIRONMENT,
  }
}

const demoOf = (env: Environment): boolean => {
  if (env.MKOPO_DEMO !== undefined) return env.MKOPO_DEMO === '1'
  if (env.DATABASE_URL !== undefined) return false
  if (env.NODE_ENV !== 'production') return true
  throw new ConfigError(
    'Production without DATABASE_URL would be a demo: set DATABASE_URL, or set MKOPO_DEMO to 1 or 0.',
  )
}

/** Where {@link Config.secretKey} lies when none is given. */
export const keyFile = 'secret.key'

/** A key of this installation's own, made at the first start and kept beside its data. */
const keptKey = (dataDir: string): string => {
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = path.join(dataDir, keyFile)
  const draft = `${file}.${process.pid}.${crypto.randomUUID()}`
  try {
    if (!fs.existsSync(file)) {
      fs.writeFileSync(draft, crypto.randomBytes(48).toString('base64url'), { mode: 0o600, flush: true })
      fs.linkSync(draft, file)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    fs.rmSync(draft, { force: true })
  }
  return fs.readFileSync(file, 'utf8')
}

/** Reads the environment, once, at the start; throws a {@link ConfigError} that says what is wrong. */
export const readConfig = (env: NodeJS.ProcessEnv = process.env): Config => {
  const values = parse(env)
  const demo = demoOf(values)
  if (values.DATABASE_URL && !demo && !values.SECRET_KEY) {
    throw new ConfigError(
      'SECRET_KEY is missing: set it to at least 32 random characters and keep it, or sealed data is lost.',
    )
  }
  return {
    port: values.PORT,
    simulatorPort: values.SIMULATOR_PORT,
    host: values.HOST ?? (demo ? '127.0.0.1' : '0.0.0.0'),
    databaseUrl: values.DATABASE_URL,
    ownerUrl: values.DATABASE_OWNER_URL,
    poolSize: values.DATABASE_POOL_SIZE,
    dataDir: path.resolve(values.DATA_DIR),
    demo,
    production: values.NODE_ENV === 'production',
    logLevel: values.LOG_LEVEL,
    secretKey: Buffer.from(values.SECRET_KEY ?? keptKey(path.resolve(values.DATA_DIR))),
    momo: momoOf(values),
  }
}
