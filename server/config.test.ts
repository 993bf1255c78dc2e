import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'mkopo-config-'))
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))
const DATA_DIR = path.join(root, 'data')
const read = (env: Record<string, string> = {}) => readConfig({ DATA_DIR, ...env })
const key = 'k'.repeat(32)
const DATABASE_URL = 'postgres://mkopo:secret@db/mkopo'
const momo = {
  MOMO_BASE_URL: 'https://momo.example/',
  MOMO_SUBSCRIPTION_KEY: 'sub',
  MOMO_API_USER: 'user',
  MOMO_API_KEY: 'key',
  MOMO_CALLBACK_HOST: 'https://mkopo.example/',
}

const airtel = {
  AIRTEL_BASE_URL: 'https://airtel.example/',
  AIRTEL_CLIENT_ID: 'client',
  AIRTEL_CLIENT_SECRET: 'secret',
  AIRTEL_PIN: '4321',
  AIRTEL_PUBLIC_KEY: crypto
    .generateKeyPairSync('rsa', { modulusLength: 2048 })
    .publicKey.export({ type: 'spki', format: 'der' })
    .toString('base64'),
}

describe('the configuration', () => {
  it('is a demo on this machine alone when nothing is set', () => {
    expect(read()).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      databaseUrl: undefined,
      dataDir: DATA_DIR,
      demo: true,
      demoOrders: 1500,
      production: false,
      logLevel: 'info',
      momo: undefined,
      airtel: undefined,
      simulatorPort: 0,
      airtelSimulatorPort: 0,
    })
  })

  it('is not a demo with a database of its own, and then listens everywhere', () => {
    const owner = 'postgres://owner:secret@db/mkopo'
    expect(read({ DATABASE_URL, DATABASE_OWNER_URL: owner, SECRET_KEY: key }).ownerUrl).toBe(owner)
    const config = read({ DATABASE_URL, SECRET_KEY: key })
    expect(config.ownerUrl).toBeUndefined()
    expect(config).toMatchObject({ demo: false, host: '0.0.0.0', databaseUrl: DATABASE_URL, poolSize: 10 })
    expect(config.secretKey.toString()).toBe(key)
    expect(read({ DATABASE_URL, MKOPO_DEMO: '1' }).demo).toBe(true)
  })

  it('knows the folders of banks only where they are named, as a whole path', () => {
    expect(read().bankDir).toBeUndefined()
    expect(read({ BANK_DIR: ' ' }).bankDir).toBeUndefined()
    expect(read({ BANK_DIR: 'bank/../folders' }).bankDir).toBe(path.resolve('folders'))
  })

  it('keeps what operators read to this machine in production, and open in a demo', () => {
    const production = { DATABASE_URL, SECRET_KEY: key }
    expect(read(production).operators).toEqual({ metrics: 'loopback', openapi: 'loopback' })
    expect(read({ ...production, METRICS: 'off', OPENAPI: 'open', OPERATOR_TOKEN: key }).operators).toEqual({
      metrics: 'off',
      openapi: 'open',
      token: key,
    })
    expect(read().operators).toEqual({ metrics: 'open', openapi: 'open' })
    expect(() => read({ METRICS: 'all' })).toThrow('METRICS must be one of off, loopback, open.')
  })

  it('knows the proxies that it may believe', () => {
    expect(read().trustedProxies).toEqual([])
    expect(read({ TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7 ::1' }).trustedProxies).toEqual([
      '10.0.0.0/8',
      '192.0.2.7',
      '::1',
    ])
    expect(() => read({ TRUSTED_PROXIES: 'proxy.example' })).toThrow(
      'TRUSTED_PROXIES must be addresses or ranges such as 10.0.0.0/8, with commas between them.',
    )
  })

  it('takes an empty variable for one that is not set', () => {
    expect(read({ PORT: '', HOST: ' ', DATABASE_URL: '' })).toMatchObject({ port: 8080, databaseUrl: undefined })
  })

  it('makes a key of its own, keeps it private and finds it again', () => {
    const first = read().secretKey
    expect(first.length).toBeGreaterThanOrEqual(64)
    expect(read().secretKey).toEqual(first)
    expect(fs.statSync(path.join(DATA_DIR, 'secret.key')).mode & 0o777).toBe(0o600)
    expect(fs.statSync(DATA_DIR).mode & 0o777).toBe(0o700)
    expect(fs.readdirSync(DATA_DIR)).toEqual(['secret.key'])
    expect(readConfig({ DATA_DIR: path.join(root, 'other') }).secretKey).not.toEqual(first)
  })

  it('knows the money provider when all of it is set', () => {
    expect(read(momo).momo).toEqual({
      baseUrl: 'https://momo.example',
      subscriptionKey: 'sub',
      apiUser: 'user',
      apiKey: 'key',
      callbackHost: 'https://mkopo.example',
      targetEnvironment: 'mtnuganda',
    })
  })

  it('knows Airtel Money when all of it is set, with or without a key for its callbacks', () => {
    const { AIRTEL_PUBLIC_KEY: publicKey } = airtel
    const set = {
      baseUrl: 'https://airtel.example',
      clientId: 'client',
      clientSecret: 'secret',
      pin: '4321',
      publicKey,
    }
    expect(read(airtel).airtel).toEqual(set)
    expect(read({ ...airtel, AIRTEL_CALLBACK_KEY: 'key' }).airtel).toEqual({ ...set, callbackKey: 'key' })
    expect(read(airtel).momo).toBeUndefined()
  })

  it.each([
    [{ PORT: 'eighty' }, 'PORT must be a whole number.'],
    [{ PORT: '70000' }, 'PORT must be from 0 to 65535.'],
    [{ MKOPO_DEMO: 'yes' }, 'MKOPO_DEMO must be one of 0, 1.'],
    [{ NODE_ENV: 'prod' }, 'NODE_ENV must be one of development, test, production.'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of trace, debug, info, warn, error, silent.'],
    [{ DATABASE_OWNER_URL: 'db/x' }, 'DATABASE_OWNER_URL must be a URL'],
    [{ DATABASE_URL: 'mysql://db/x' }, 'DATABASE_URL must be a URL that starts with postgres:// or postgresql://.'],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY must have at least 32 characters.'],
    [{ DATABASE_URL }, 'SECRET_KEY is missing'],
    [{ NODE_ENV: 'production' }, 'set MKOPO_DEMO to 1 or 0'],
    [{ ...momo, MOMO_API_KEY: '', MOMO_API_USER: '' }, 'MOMO_API_USER, MOMO_API_KEY is missing'],
    [{ ...airtel, AIRTEL_PIN: '' }, 'AIRTEL_PIN is missing'],
    [{ ...airtel, AIRTEL_PUBLIC_KEY: 'a key' }, 'AIRTEL_PUBLIC_KEY must be an RSA public key'],
  ])('refuses to start with %j', (env, sentence) => {
    expect(() => read(env as Record<string, string>)).toThrow(ConfigError)
    expect(() => read(env as Record<string, string>)).toThrow(sentence)
  })

  it('is a demo in production only when that was said', () => {
    expect(read({ NODE_ENV: 'production', MKOPO_DEMO: '1' })).toMatchObject({ demo: true, production: true })
    expect(read({ NODE_ENV: 'production', MKOPO_DEMO: '0' })).toMatchObject({ demo: false })
    expect(read({ NODE_ENV: 'production', DATABASE_URL, SECRET_KEY: key })).toMatchObject({ demo: false })
  })
})

describe('letters and texts', () => {
  const smtp = { SMTP_URL: 'smtps://user:pass@mail.example', MAIL_FROM: 'no-reply@lender.example' }
  const sms = { SMS_USERNAME: 'lender', SMS_API_KEY: 'key', SMS_SENDER_ID: 'LENDER' }

  it('go nowhere by themselves', () => {
    expect(read()).toMatchObject({ smtp: undefined, sms: [] })
  })

  it('go by a mail server and by two vendors, where they are set up', () => {
    const backup = {
      ...{ SMS_BACKUP_BASE_URL: 'https://lake.example/', SMS_BACKUP_VENDOR: 'Lake', SMS_BACKUP_USERNAME: 'l' },
      ...{ SMS_BACKUP_API_KEY: 'k', SMS_BACKUP_SENDER_ID: 'LENDER', SMS_BACKUP_REPORT_SECRET: 'x'.repeat(40) },
    }
    expect(read({ ...smtp, ...sms, ...backup })).toMatchObject({
      smtp: { url: smtp.SMTP_URL, from: smtp.MAIL_FROM },
      sms: [
        { accountNo: 'sms-1', vendorName: "Africa's Talking", baseUrl: 'https://api.africastalking.com' },
        { accountNo: 'sms-2', vendorName: 'Lake', baseUrl: 'https://lake.example', reportSecret: 'x'.repeat(40) },
      ],
    })
  })

  it('go by the vendors of further channels, each where it is set up', () => {
    const voice = { VOICE_BASE_URL: 'https://voice.example/', VOICE_API_KEY: 'k', VOICE_SENDER_ID: '256200000000' }
    expect(read().channels).toEqual([])
    expect(read(voice).channels).toEqual([
      { channel: 'voice', baseUrl: 'https://voice.example', apiKey: 'k', senderId: '256200000000' },
    ])
    expect(() => read({ ...voice, VOICE_API_KEY: '' })).toThrow(/VOICE_API_KEY/)
  })

  it.each([
    ['a mail server without a sender', { SMTP_URL: smtp.SMTP_URL }, /MAIL_FROM/],
    ['a mail server that is a web page', { ...smtp, SMTP_URL: 'https://mail.example' }, /SMTP_URL/],
    ['a vendor without a key', { SMS_USERNAME: 'lender', SMS_SENDER_ID: 'LENDER' }, /SMS_API_KEY/],
    ['a sender that no network shows', { ...sms, SMS_SENDER_ID: 'A lender of ours' }, /SMS_SENDER_ID/],
    ['a secret that can be guessed', { ...sms, SMS_REPORT_SECRET: 'short' }, /SMS_REPORT_SECRET/],
  ])('are not %s', (_, given, what) => {
    expect(() => read(given)).toThrow(what)
  })
})
