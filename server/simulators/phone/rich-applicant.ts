import type { Application } from '../../../core/contract/order/intake.ts'
import { type ApplicantOptions, applicant } from '../people.ts'
import { agreesTo, collectedOf, sharedDeviceOf } from './collected.ts'

const collectedKinds = ['contacts', 'location', 'device', 'apps', 'operator', 'credit_bureau', 'face'] as const

/** An application as the app of a merchant sends it: with all that it collected on the phone, and what its owner agreed to. */
export const richApplicant = (seed: number, options: ApplicantOptions = {}): Application => {
  const plain = applicant(seed, options)
  const at = options.at ?? '2026-11-02T06:00:00.000Z'
  const { customer, contacts, device } = plain
  const { phone, district, addressText } = customer
  const deviceId = sharedDeviceOf(phone) ?? device.deviceId
  const consents = collectedKinds
    .filter(kind => agreesTo(phone, kind))
    .map((consentKind, index) => ({
      consentKind,
      consentTime: new Date(Date.parse(at) - (240 - index * 20) * 1000).toISOString(),
    }))
  return {
    ...plain,
    device: { ...device, deviceId, batteryPercent: 8 + ((seed * 37) % 92) },
    consents,
    collected: collectedOf({ phone, seed, at, district, addressText, contacts }),
  }
}
