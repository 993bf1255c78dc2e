import { z } from 'zod'
import { appVersion as machine } from '../../rules/machines/operation/app-version.ts'
import { blockedBy } from '../blocked.ts'
import { command, done, endpoint, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'

/** What a version runs on. Versions of the console are written when it is deployed. */
export const appSystems = dictionary('APP_OS', ['android', 'ios', 'h5', 'console'])

/** Devices count that asked for news within so many days. */
export const deviceDays = 7
/** Days that the devices of a version are shown for. */
export const shownDays = 14

const perm = 'app:version:page'
const update = 'app:version:update'
const semver = /^(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,4})(-[0-9A-Za-z.-]{1,20})?$/

const versionName = () => z.string().trim().regex(semver, 'validation.semver').meta({ kind: 'text', example: '3.4.0' })
const versionCode = () => field.int().min(1, 'validation.wrongValue').max(2_100_000_000, 'validation.wrongValue')
const grayPercent = () => field.int().min(1, 'validation.grayPercent').max(100, 'validation.grayPercent')
/** What people write versions for. */
const written = () => z.enum(['android', 'ios', 'h5']).meta({ kind: 'dict', dict: 'APP_OS' })
const storeUrl = () =>
  z
    .string()
    .trim()
    .max(500)
    .regex(/^https:\/\/[^\s/]+\.[^\s]+$/, 'validation.httpsLink')
    .meta({ kind: 'text', example: 'https://play.google.com/store/apps/details?id=ug.kasa' })

/** Sessions that a device reports at once, at most. */
const mostSessions = 200

const Row = z.object({
  versionNo: field.key(),
  appCode: field.app(),
  os: field.dict(appSystems),
  versionName: field.text(40),
  versionCode: field.int(),
  versionStatus: field.state(machine),
  /** Devices with an older one cannot go on without it. */
  forceUpdate: field.flag(),
  /** Devices of a hundred that are offered it; null before it is released. */
  grayPercent: field.int().nullable(),
  minVersionCode: field.int().nullable(),
  /** Bytes. */
  packageSize: field.int().nullable(),
  sha256: field.text(64).nullable(),
  storeUrl: field.text(500).nullable(),
  /** Devices that had it when they last asked, within a week. */
  deviceCount: field.int(),
  /** Of a hundred devices of the app and system; null where there are none. */
  deviceShare: field.percent().nullable(),
  /** Sessions of a hundred that no crash ended, within a week; null where the app reports none. */
  crashFree: field.percent().nullable(),
  /** All devices of the app and system within a week. */
  appDevices: field.int(),
  releaseTime: field.time().nullable(),
  createdName: field.user(),
  createdTime: field.time(),
  withdrawReason: field.text(200).nullable(),
  pendingApproval: field.user().nullable(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type AppVersionRow = z.output<typeof Row>

const Share = z.object({
  versionNo: field.key(),
  os: field.dict(appSystems),
  versionName: field.text(40),
  versionCode: field.int(),
  versionStatus: field.state(machine),
  deviceCount: field.int(),
  deviceShare: field.percent().nullable(),
})

const Detail = z.object({
  ofVersion: Row,
  releaseNotes: field.texts(500),
  fileName: field.text(200).nullable(),
  /** Where phones fetch the package, below the address of the server; null where a store has it. */
  packagePath: field.text(500).nullable(),
  dailyDevices: z.array(z.object({ date: field.date(), deviceCount: field.int() })),
})
export type AppVersionDetail = z.output<typeof Detail>

/** What a phone is offered. */
const Offer = z.object({
  versionNo: field.key(),
  versionName: field.text(40),
  versionCode: field.int(),
  releaseNotes: field.texts(500),
  releaseTime: field.time(),
  packageSize: field.int().nullable(),
  sha256: field.text(64).nullable(),
  storeUrl: field.text(500).nullable(),
  packagePath: field.text(500).nullable(),
})

const one = { versionNo: field.key(), version: z.int() }

/** Versions of the apps: published step by step, forced where they must be, taken back. */
export const appVersion = noun('operation/app-version', {
  page: list('/appUpdate/page', {
    perm,
    row: Row,
    filters: {
      appCode: field.app().optional(),
      os: z.array(field.dict(appSystems)).optional(),
      versionStatus: z.array(field.state(machine)).optional(),
      forceUpdate: field.flag().optional(),
      releaseTime: field.dateRange().optional(),
    },
    sort: ['versionCode', 'releaseTime'],
    defaultSort: '-versionCode',
  }),
  detail: read('/appUpdate/detail', { perm, input: { versionNo: field.key() }, output: Detail }),
  /** Devices by version, of the last seven days. */
  share: read('/appUpdate/share', {
    perm,
    input: { appCode: field.app() },
    output: z.object({ list: z.array(Share) }),
  }),
  save: command({
    path: '/appUpdate/save',
    perm: update,
    audit: 'appVersion.save',
    on: { machine, event: 'version.save', key: 'versionNo' },
    input: z
      .strictObject({
        appCode: field.app(),
        os: written(),
        versionName: versionName(),
        versionCode: versionCode(),
        packageFileNo: field.file('package').optional(),
        storeUrl: storeUrl().optional(),
        minVersionCode: versionCode().optional(),
        releaseNotes: field.texts(500),
      })
      .superRefine(({ os, packageFileNo, storeUrl: store, versionCode: code, minVersionCode: least }, context) => {
        const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
        if (packageFileNo && os !== 'android') wrong('packageFileNo', 'validation.packageForAndroid')
        if (!packageFileNo === !store) wrong('storeUrl', 'validation.packageOrStore')
        if (least !== undefined && least > code) wrong('minVersionCode', 'validation.minAboveVersion')
      }),
    output: z.object({ versionNo: field.key() }),
  }),
  /** Offers it to a part of the devices. Where it is forced, once a second person agrees. */
  release: command({
    path: '/appUpdate/release',
    perm: update,
    audit: 'appVersion.release',
    on: { machine, event: 'version.release', key: 'versionNo' },
    input: z.strictObject({ ...one, grayPercent: grayPercent(), forceUpdate: field.flag() }),
    output: z.object({ versionStatus: field.state(machine), approvalNo: field.key().nullable() }),
  }),
  widen: command({
    path: '/appUpdate/widen',
    perm: update,
    audit: 'appVersion.widen',
    on: { machine, event: 'version.widen', key: 'versionNo' },
    input: z.strictObject({ ...one, grayPercent: grayPercent() }),
    output: done,
  }),
  withdraw: command({
    path: '/appUpdate/withdraw',
    perm: update,
    audit: 'appVersion.withdraw',
    on: { machine, event: 'version.withdraw', key: 'versionNo' },
    input: z.strictObject({ ...one, reason: field.longText(200) }),
    output: done,
  }),
})

/** What the apps themselves ask, without signing in. */
export const appUpdate = noun('operation/app-version', {
  /** The version that a device is offered, if there is one; notes which one it has. */
  latest: endpoint({
    method: 'GET',
    path: '/noAuth/appUpdate/latest',
    auth: 'anon',
    writes: true,
    input: z.strictObject({
      appCode: field.app(),
      os: written(),
      versionCode: z.coerce.number<number>().int().min(0).max(2_100_000_000).meta({ kind: 'int', example: 30_400 }),
      deviceId: field.key(100),
      /** Sessions since the device asked last, and those of them that a crash ended. */
      sessions: z.coerce.number<number>().int().min(0).max(mostSessions).meta({ kind: 'int', example: 4 }).optional(),
      crashes: z.coerce.number<number>().int().min(0).max(mostSessions).meta({ kind: 'int', example: 0 }).optional(),
    }),
    output: z.object({
      offer: Offer.nullable(),
      /** The device cannot go on with what it has. */
      mustUpdate: field.flag(),
    }),
  }),
  /** The package of a version that is released. */
  package: endpoint({
    method: 'GET',
    path: '/noAuth/appUpdate/package',
    auth: 'anon',
    file: true,
    input: z.strictObject({ versionNo: field.key() }),
    output: z.null(),
  }),
})
