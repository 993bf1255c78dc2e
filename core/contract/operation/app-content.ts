import { z } from 'zod'
import { isExternalLink } from '../../rules/text/external-link.ts'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { command, endpoint, noun, results } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { customerStatuses } from '../order/person.ts'

/** Where an app shows something. */
export const appPlacements = dictionary('APP_PLACEMENT', [
  'home_banner',
  'popup',
  'splash',
  'repay_tip',
  'refused_page',
  'faq',
  'about',
])
/** Where a tap leads. */
const linkTypes = dictionary('APP_LINK_TYPE', ['none', 'screen', 'url'])
/** Screens of the app that a tap may open. */
const appScreens = dictionary('APP_SCREEN', ['home', 'apply', 'repay', 'coupons', 'history', 'contact'])
/** Whether customers see it now, later, not any more, or not at all. */
const contentStates = dictionary('CONTENT_STATE', ['running', 'planned', 'ended', 'off'])
/** What an app reports of a content: it was on the screen, or tapped. */
const contentEvents = dictionary('CONTENT_EVENT', ['shown', 'clicked'])
/** Languages of an app's customers and of its staff. */
export const contentLanguages = dictionary('CONTENT_LANGUAGE', ['zh', 'en', 'sw'])

type Values = Readonly<Record<string, unknown>>
const tags = { zh: 'Zh', en: 'En', sw: 'Sw' } as const
const has = (values: Values, name: string) => typeof values[name] === 'string' && values[name] !== ''

/** Words in one language come together: a body has its title. */
const flaw = (values: Values): Flaw | null => {
  const filled = contentLanguages.values.filter(language => has(values, `title${tags[language]}`))
  for (const language of contentLanguages.values)
    if (has(values, `body${tags[language]}`) && !filled.includes(language))
      return { path: `title${tags[language]}`, message: 'validation.contentEmpty' }
  if (filled.length === 0) return { path: 'titleSw', message: 'validation.contentEmpty' }
  const shows = has(values, 'image') || contentLanguages.values.some(language => has(values, `body${tags[language]}`))
  if (!shows) return { path: `body${tags[filled[0] as keyof typeof tags]}`, message: 'validation.contentEmpty' }
  if (values.linkType === 'screen' && !has(values, 'appScreen'))
    return { path: 'appScreen', message: 'validation.infoComplete' }
  if (values.linkType === 'url' && !(has(values, 'linkUrl') && isExternalLink(String(values.linkUrl))))
    return { path: 'linkUrl', message: 'validation.linkHttps' }
  const { startTime, endTime } = values
  return typeof startTime === 'string' && typeof endTime === 'string' && Date.parse(startTime) > Date.parse(endTime)
    ? { path: 'endTime', message: 'validation.endBeforeStart' }
    : null
}

const titles = {
  titleZh: field.text(64).optional(),
  titleEn: field.text(64).optional(),
  titleSw: field.text(64).optional(),
}
const bodies = {
  bodyZh: field.longText(2_000).optional(),
  bodyEn: field.longText(2_000).optional(),
  bodySw: field.longText(2_000).optional(),
}
const form = {
  appCode: field.app(),
  placement: field.dict(appPlacements),
  ...titles,
  ...bodies,
  image: field.file('banner').optional(),
  linkType: field.dict(linkTypes),
  appScreen: field.dict(appScreens).optional(),
  linkUrl: field.key(300).meta({ kind: 'key', example: 'https://help.mkopo.example/faq' }).optional(),
  /** Customers whom it is for; all of them where none is named. */
  customerStatuses: z.array(field.dict(customerStatuses)).max(customerStatuses.values.length).optional(),
  startTime: field.time().meta({ kind: 'time', example: '2026-03-01T06:00:00.000Z' }),
  endTime: field.time().meta({ kind: 'time', example: '2026-04-01T06:00:00.000Z' }),
  sort: field.place(),
}
const nullable = <S extends z.ZodRawShape>(shape: S) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, one]) => [name, ((one as z.ZodOptional).unwrap() as z.ZodType).nullable()]),
  ) as unknown as { [N in keyof S]: z.ZodNullable<z.ZodType<string>> }

/** What apps show their customers, besides their loans. */
export const appContents = config({
  name: 'appContent',
  path: '/appConfig/content',
  area: 'app:content',
  table: 'app_content',
  key: 'contentNo',
  row: {
    ...form,
    ...nullable(titles),
    ...nullable(bodies),
    image: field.file('banner').nullable(),
    appScreen: field.dict(appScreens).nullable(),
    linkUrl: field.key(300).nullable(),
    customerStatuses: z.array(field.dict(customerStatuses)),
    /** The first title that there is, in Swahili, English, Chinese. */
    title: field.text(),
    contentState: field.dict(contentStates),
    contentLanguages: z.array(field.dict(contentLanguages)),
    shownWeek: field.int(),
    clickedWeek: field.int(),
  },
  form,
  applies: {
    appScreen: ({ linkType }) => linkType === 'screen',
    linkUrl: ({ linkType }) => linkType === 'url',
  },
  flaw,
  filters: {
    appCode: field.app().optional(),
    placement: z.array(field.dict(appPlacements)).optional(),
    contentState: z.array(field.dict(contentStates)).optional(),
    /** A language is missing. */
    languageGap: field.flag().optional(),
  },
  sort: ['sort', 'startTime', 'endTime'],
  defaultSort: 'sort',
})

const Shown = z.object({
  contentNo: field.key(),
  placement: field.dict(appPlacements),
  titles: z.object({ zh: z.string().nullable(), en: z.string().nullable(), sw: z.string().nullable() }),
  bodies: z.object({ zh: z.string().nullable(), en: z.string().nullable(), sw: z.string().nullable() }),
  image: z.string().nullable(),
  linkType: field.dict(linkTypes),
  appScreen: field.dict(appScreens).nullable(),
  linkUrl: z.string().nullable(),
  sort: field.int(),
})
export type ShownContent = z.output<typeof Shown>

/** Most contents of an app that are answered, and copied at once. */
const most = 200

/** Calls of contents: those of the config, their order in a place, and what an app asks and reports. */
export const appContent = noun('operation/app-content', {
  ...appContents.calls,
  /** Puts the contents of a place of an app into this order. */
  arrange: command({
    path: '/appConfig/content/sort',
    perm: 'app:content:save',
    audit: 'appContent.sort',
    input: z.strictObject({
      appCode: field.app(),
      placement: field.dict(appPlacements),
      contentNos: z.array(field.key()).min(1).max(most),
    }),
    output: z.object({ moved: z.int() }),
  }),
  /** Makes disabled copies for another app. */
  copyTo: command({
    path: '/appConfig/content/copyTo',
    perm: 'app:content:save',
    audit: 'appContent.copyTo',
    input: z.strictObject({ contentNos: z.array(field.key()).min(1).max(most), appCode: field.app() }),
    output: results,
  }),
  /** What a customer of an app sees now, found by the whole phone number; each look is noted. */
  seenBy: endpoint({
    method: 'POST',
    path: '/appConfig/content/seenBy',
    perm: 'app:content:page',
    writes: true,
    input: z.strictObject({ appCode: field.app(), phone: field.phone() }),
    output: z.object({
      customerStatus: field.dict(customerStatuses),
      list: z.array(Shown).max(most),
    }),
  }),
  /** The contents in force of an app for a customer status, as customers see them: of pop-ups the first alone. */
  shown: endpoint({
    method: 'GET',
    path: '/noAuth/appConfig/content',
    auth: 'anon',
    input: z.strictObject({ appCode: field.app(), customerStatus: field.dict(customerStatuses).optional() }),
    output: z.object({ list: z.array(Shown).max(most) }),
  }),
})

/** What the back end of an app reports, signed by its merchant. */
export const appContentApp = noun('operation/app-content', {
  /** Contents were on screens, or tapped, so many times since the last report. */
  event: endpoint({
    method: 'POST',
    path: '/noAuth/appConfig/content/event',
    auth: 'merchant',
    input: z.strictObject({
      reportNo: field.key(),
      events: z
        .array(
          z.strictObject({
            contentNo: field.key(),
            contentEvent: field.dict(contentEvents),
            count: z.int().min(1).max(1_000_000),
          }),
        )
        .min(1)
        .max(most),
    }),
    output: z.object({ counted: z.int() }),
  }),
})
