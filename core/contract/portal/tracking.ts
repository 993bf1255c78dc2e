import { z } from 'zod'

const text = (max: number) => z.string().max(max)

/** The tracking payload; sent to its own address, errors ignored, never shown. */
export const TrackingEvent = z.strictObject({
  eventId: text(64),
  eventType: z.literal('view'),
  pageName: text(64),
  systemCode: z.literal('loans_web'),
  timeZone: text(40),
  orderNo: text(40),
  type: z.enum(['enter', 'exit']),
  token: text(200),
  isLogin: z.boolean(),
  appId: z.literal('loans.web.system'),
  appName: text(40),
  os: text(80),
  channel: text(20),
  deviceModel: text(200),
  appVersion: text(40),
  country: z.literal('UGA'),
})
/** Where page events are sent; outside of `base`, as the analytics platform wants it. */
export const trackingPath = '/burying-point-platform/report'
