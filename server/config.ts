import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { airtelKey } from './gateways/airtel-pin.ts'
import type { ChannelConfig } from './gateways/channels/channel-vendor.ts'
import { isRange } from './http/defence/client-address.ts'
import { accesses, type Operators } from './http/operators.ts'
import type { Airtel, AirtimeAccess, BvnConfig, Momo, SmsConfig, SmtpConfig } from './vendor-accounts.ts'

/** The environment is not fit to start with; the message says what to set. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

export type Config = {
  port: number
  host: string
  databaseUrl: string | undefined
  /** The same database as its owner, who alone migrates; the server itself then has no right to change history. */
  ownerUrl: string | undefined
  poolSize: number
  /** Longest time that a statement may run. */
  statementTimeoutMs: number
  dataDir: string
  /** Demo data, simulators and a demo sign-in. */
  demo: boolean
  /** How many orders the data of a new demo have, about. */
  demoOrders: number
  production: boolean
  /** Addresses and ranges of the proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[]
  logLevel: string
  /** Where the console is reached from outside; links in letters begin with it. */
  publicUrl: string | undefined
  /** Who may read `/metrics` and `/openapi.json`. */
  operators: Operators
  /** Root of keyed hashes and sealed values. */
  secretKey: Buffer
  /** Undefined where the provider is not set up; a demo then uses its simulator. */
  momo: Momo | undefined
  airtel: Airtel | undefined
  bvn: BvnConfig | undefined
  airtime: AirtimeAccess | undefined
  /** Undefined where no mail server is set up: letters are laid into a folder then, texts likewise. */
  smtp: SmtpConfig | undefined
  /** Texts go by the first account, and by the second where that one fails. */
  sms: readonly SmsConfig[]
  /** Channels that are not set up carry nothing. */
  channels: readonly ChannelConfig[]
  /** The folders shared with banks, one for each account; undefined where people carry the files. */
  bankDir: string | undefined
  /** Where the simulators of a demo listen; 0 takes a free port. */
  simulatorPort: number
  airtelSimulatorPort: number
  smsSimulatorPort: number
  mailSimulatorPort: number
  /** Where the partner pages of the examples are served beside a demo. */
  examplesPort: number
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
const rsaKey = z.string().refine(value => {
  try {
    airtelKey(value)
    return true
  } catch {
    return false
  }
}, 'must be an RSA public key, as PEM or as what stands between its lines')
const secret = z.string().min(32, 'must have at least 32 characters')
const ranges = z
  .string()
  .transform(value => value.split(/[\s,]+/).filter(Boolean))
  .refine(values => values.every(isRange), 'must be addresses or ranges such as 10.0.0.0/8, with commas between them')
const oneOf = <const V extends readonly [string, ...string[]]>(...values: V) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` })

/** The variables of the account of a channel. */
const channelVariables = <P extends keyof typeof channelOf>(prefix: P) =>
  ({
    [`${prefix}_BASE_URL`]: url('http:', 'https:').optional(),
    [`${prefix}_API_KEY`]: text.optional(),
    [`${prefix}_SENDER_ID`]: text.optional(),
    [`${prefix}_REPORT_SECRET`]: secret.optional(),
  }) as { [K in `${P}_${'BASE_URL' | 'API_KEY' | 'SENDER_ID' | 'REPORT_SECRET'}`]: z.ZodOptional<z.ZodString> }

const channelOf = { WHATSAPP: 'whatsapp', VOICE: 'voice', PUSH: 'app_push' } as const

/** The variables of one account with a vendor of text messages. */
const smsVariables = <P extends 'SMS' | 'SMS_BACKUP'>(prefix: P) =>
  ({
    [`${prefix}_BASE_URL`]: url('http:', 'https:', 'smpp:', 'ssmpp:').default('https://api.africastalking.com'),
    [`${prefix}_VENDOR`]: text.default("Africa's Talking"),
    [`${prefix}_USERNAME`]: text.optional(),
    [`${prefix}_API_KEY`]: text.optional(),
    [`${prefix}_SENDER_ID`]: text.regex(/^[A-Za-z0-9]{3,11}$/, 'must be 3 to 11 letters and digits').optional(),
    [`${prefix}_REPORT_SECRET`]: secret
      .regex(/^[A-Za-z0-9_.-]{1,64}$/, 'must have at most 64 characters: letters, digits and . _ -')
      .optional(),
  }) as {
    [K in `${P}_BASE_URL` | `${P}_VENDOR`]: z.ZodDefault<z.ZodString>
  } & {
    [K in `${P}_USERNAME` | `${P}_API_KEY` | `${P}_SENDER_ID` | `${P}_REPORT_SECRET`]: z.ZodOptional<z.ZodString>
  }

const environment = z.object({
  PORT: whole(0, 65_535).default(8080),
  HOST: text.optional(),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  DATABASE_OWNER_URL: url('postgres:', 'postgresql:').optional(),
  DATABASE_POOL_SIZE: whole(1, 200).default(10),
  DATABASE_TIMEOUT_SECONDS: whole(1, 3600).default(60),
  DATA_DIR: text.default('.data'),
  MKOPO_DEMO: oneOf('0', '1').optional(),
  MKOPO_DEMO_ORDERS: whole(1, 100_000).default(1500),
  NODE_ENV: oneOf('development', 'test', 'production').default('development'),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent').default('info'),
  TRUSTED_PROXIES: ranges.default([]),
  METRICS: oneOf(...accesses).optional(),
  OPENAPI: oneOf(...accesses).optional(),
  PUBLIC_URL: url('http:', 'https:').optional(),
  OPERATOR_TOKEN: secret.optional(),
  SECRET_KEY: secret.optional(),
  MOMO_BASE_URL: url('http:', 'https:').optional(),
  MOMO_SUBSCRIPTION_KEY: text.optional(),
  MOMO_API_USER: text.optional(),
  MOMO_API_KEY: text.optional(),
  MOMO_CALLBACK_HOST: url('http:', 'https:').optional(),
  MOMO_TARGET_ENVIRONMENT: text.default('mtnuganda'),
  AIRTEL_BASE_URL: url('http:', 'https:').optional(),
  AIRTEL_CLIENT_ID: text.optional(),
  AIRTEL_CLIENT_SECRET: text.optional(),
  AIRTEL_PIN: text.optional(),
  AIRTEL_PUBLIC_KEY: rsaKey.optional(),
  AIRTEL_CALLBACK_KEY: text.optional(),
  BVN_BASE_URL: url('http:', 'https:').optional(),
  BVN_API_KEY: text.optional(),
  AIRTIME_BASE_URL: url('http:', 'https:').optional(),
  AIRTIME_API_KEY: text.optional(),
  BANK_DIR: text.optional(),
  SMTP_URL: url('smtp:', 'smtps:').optional(),
  MAIL_FROM: text.optional(),
  ...smsVariables('SMS'),
  ...smsVariables('SMS_BACKUP'),
  ...channelVariables('WHATSAPP'),
  ...channelVariables('VOICE'),
  ...channelVariables('PUSH'),
  SIMULATOR_PORT: whole(0, 65_535).default(0),
  SMS_SIMULATOR_PORT: whole(0, 65_535).default(0),
  MAIL_SIMULATOR_PORT: whole(0, 65_535).default(0),
  AIRTEL_SIMULATOR_PORT: whole(0, 65_535).default(0),
  EXAMPLES_PORT: whole(1, 65_535).default(8090),
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

/** All of the given variables, or undefined where none is set; some are none. */
const wholly = <N extends keyof Environment>(
  provider: string,
  env: Environment,
  names: readonly N[],
): Record<N, string> | undefined => {
  const missing = names.filter(name => env[name] === undefined)
  if (missing.length === names.length) return undefined
  if (missing.length > 0) throw new ConfigError(`${provider} is set up in part only: ${missing.join(', ')} is missing.`)
  return Object.fromEntries(names.map(name => [name, String(env[name])])) as Record<N, string>
}

const trimmed = (address: string) => address.replace(/\/+$/, '')

const momoParts = [
  'MOMO_BASE_URL',
  'MOMO_SUBSCRIPTION_KEY',
  'MOMO_API_USER',
  'MOMO_API_KEY',
  'MOMO_CALLBACK_HOST',
] as const

const momoOf = (env: Environment): Momo | undefined => {
  const set = wholly('MTN MoMo', env, momoParts)
  return (
    set && {
      baseUrl: trimmed(set.MOMO_BASE_URL),
      subscriptionKey: set.MOMO_SUBSCRIPTION_KEY,
      apiUser: set.MOMO_API_USER,
      apiKey: set.MOMO_API_KEY,
      callbackHost: trimmed(set.MOMO_CALLBACK_HOST),
      targetEnvironment: env.MOMO_TARGET_ENVIRONMENT,
    }
  )
}

const airtelParts = [
  'AIRTEL_BASE_URL',
  'AIRTEL_CLIENT_ID',
  'AIRTEL_CLIENT_SECRET',
  'AIRTEL_PIN',
  'AIRTEL_PUBLIC_KEY',
] as const

const airtelOf = (env: Environment): Airtel | undefined => {
  const set = wholly('Airtel Money', env, airtelParts)
  return (
    set && {
      baseUrl: trimmed(set.AIRTEL_BASE_URL),
      clientId: set.AIRTEL_CLIENT_ID,
      clientSecret: set.AIRTEL_CLIENT_SECRET,
      pin: set.AIRTEL_PIN,
      publicKey: set.AIRTEL_PUBLIC_KEY,
      ...(env.AIRTEL_CALLBACK_KEY ? { callbackKey: env.AIRTEL_CALLBACK_KEY } : {}),
    }
  )
}

const bvnOf = (env: Environment): BvnConfig | undefined => {
  const set = wholly('The bank verification service', env, ['BVN_BASE_URL', 'BVN_API_KEY'])
  return set && { baseUrl: trimmed(set.BVN_BASE_URL), apiKey: set.BVN_API_KEY }
}

const airtimeOf = (env: Environment): AirtimeAccess | undefined => {
  const set = wholly('The vendor of airtime', env, ['AIRTIME_BASE_URL', 'AIRTIME_API_KEY'])
  return set && { baseUrl: trimmed(set.AIRTIME_BASE_URL), apiKey: set.AIRTIME_API_KEY }
}

const smtpOf = (env: Environment): SmtpConfig | undefined => {
  const set = wholly('The mail server', env, ['SMTP_URL', 'MAIL_FROM'])
  return set && { url: set.SMTP_URL, from: set.MAIL_FROM }
}

const smsOf = (env: Environment, accountNo: string, prefix: 'SMS' | 'SMS_BACKUP'): SmsConfig[] => {
  const names = [`${prefix}_USERNAME`, `${prefix}_API_KEY`, `${prefix}_SENDER_ID`] as const
  const set = wholly('The vendor of texts', env, names)
  if (!set) return []
  const reportSecret = env[`${prefix}_REPORT_SECRET`]
  const access = { username: set[`${prefix}_USERNAME`], apiKey: set[`${prefix}_API_KEY`] }
  const vendor = { vendorName: env[`${prefix}_VENDOR`], baseUrl: trimmed(env[`${prefix}_BASE_URL`]) }
  const senderId = set[`${prefix}_SENDER_ID`]
  return [{ accountNo, ...vendor, ...access, senderId, ...(reportSecret ? { reportSecret } : {}) }]
}

const channelsOf = (env: Environment): ChannelConfig[] =>
  (Object.keys(channelOf) as (keyof typeof channelOf)[]).flatMap(prefix => {
    const names = [`${prefix}_BASE_URL`, `${prefix}_API_KEY`, `${prefix}_SENDER_ID`] as const
    const set = wholly(`The vendor of ${channelOf[prefix]} messages`, env, names)
    if (!set) return []
    const access = { baseUrl: trimmed(set[`${prefix}_BASE_URL`]), apiKey: set[`${prefix}_API_KEY`] }
    const reportSecret = env[`${prefix}_REPORT_SECRET`]
    const senderId = set[`${prefix}_SENDER_ID`]
    return [{ channel: channelOf[prefix], ...access, senderId, ...(reportSecret ? { reportSecret } : {}) }]
  })

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
    airtelSimulatorPort: values.AIRTEL_SIMULATOR_PORT,
    smsSimulatorPort: values.SMS_SIMULATOR_PORT,
    mailSimulatorPort: values.MAIL_SIMULATOR_PORT,
    examplesPort: values.EXAMPLES_PORT,
    host: values.HOST ?? (demo ? '127.0.0.1' : '0.0.0.0'),
    databaseUrl: values.DATABASE_URL,
    ownerUrl: values.DATABASE_OWNER_URL,
    poolSize: values.DATABASE_POOL_SIZE,
    statementTimeoutMs: values.DATABASE_TIMEOUT_SECONDS * 1_000,
    dataDir: path.resolve(values.DATA_DIR),
    demo,
    demoOrders: values.MKOPO_DEMO_ORDERS,
    production: values.NODE_ENV === 'production',
    trustedProxies: values.TRUSTED_PROXIES,
    logLevel: values.LOG_LEVEL,
    publicUrl: env.PUBLIC_URL && trimmed(env.PUBLIC_URL),
    operators: {
      metrics: values.METRICS ?? (demo ? 'open' : 'loopback'),
      openapi: values.OPENAPI ?? (demo ? 'open' : 'loopback'),
      ...(values.OPERATOR_TOKEN ? { token: values.OPERATOR_TOKEN } : {}),
    },
    secretKey: Buffer.from(values.SECRET_KEY ?? keptKey(path.resolve(values.DATA_DIR))),
    momo: momoOf(values),
    airtel: airtelOf(values),
    bvn: bvnOf(values),
    airtime: airtimeOf(values),
    smtp: smtpOf(values),
    sms: [...smsOf(values, 'sms-1', 'SMS'), ...smsOf(values, 'sms-2', 'SMS_BACKUP')],
    channels: channelsOf(values),
    bankDir: values.BANK_DIR === undefined ? undefined : path.resolve(values.BANK_DIR),
  }
}
