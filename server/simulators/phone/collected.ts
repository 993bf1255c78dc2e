import type { Application } from '../../../core/contract/order/intake.ts'
import { networkOf } from '../../../core/rules/text/phone-network.ts'
import { bvnOf, nameOf, phoneOf } from '../people.ts'
import { apps, centres } from './phone-data.ts'
import { between, chance, pick, type Random, randomOf } from './random-of.ts'

type Collected = NonNullable<Application['collected']>
type Who = {
  phone: string
  seed: number
  at: string
  district: string
  addressText: string
  contacts: Application['contacts']
}

const day = 86_400_000
const before = (at: string, ms: number) => new Date(Date.parse(at) - ms).toISOString()

/** Whom somebody talks with: those they declared, some who are customers themselves, and others. */
const affinityOf = ({ phone, at, contacts }: Who): Collected['affinity'] => {
  const random = randomOf(`affinity ${phone}`)
  const phones = [
    ...contacts.map(contact => contact.contactPhone),
    ...[1, 2].map(() => phoneOf(between(random, 1, 260), true)),
    ...[1, 2, 3].map(() => phoneOf(between(random, 100_000, 299_999))),
  ]
  return [...new Set(phones)]
    .filter(one => one !== phone)
    .map((contactPhone, index) => {
      const callCount = between(random, 3, 90 - index * 10)
      return {
        contactName: nameOf(contactPhone),
        contactPhone,
        callCount,
        smsCount: between(random, 0, 25),
        callMinutes: callCount * between(random, 1, 5),
        lastCallTime: before(at, between(random, 1, 400) * 3_600_000),
        inPhoneBook: index < 3 || chance(random, 0.7),
      }
    })
}

const appsOf = ({ phone, at }: Who): Collected['apps'] => {
  const random = randomOf(`apps ${phone}`)
  return apps
    .filter(([, , , share]) => chance(random, share))
    .map(([packageName, appTitle, appCategory]) => ({
      packageName,
      appTitle,
      appCategory,
      installTime: before(at, between(random, 1, 700) * day),
    }))
}

const near = (random: Random, [latitude, longitude]: readonly [number, number], spread: number) => ({
  latitude: (latitude + (random() - 0.5) * spread).toFixed(5),
  longitude: (longitude + (random() - 0.5) * spread).toFixed(5),
})

/** Home and work where they said; one in twelve applies from another district. */
const positionsOf = ({ phone, seed, at, district, addressText }: Who): Collected['positions'] => {
  const random = randomOf(`home ${phone}`)
  const today = randomOf(`positions ${seed}`)
  const town = centres[district] ?? (centres.Kampala as readonly [number, number])
  const home = near(random, town, 0.06)
  const from = (place: { latitude: string; longitude: string }) =>
    near(today, [Number(place.latitude), Number(place.longitude)], 0.004)
  const away = chance(today, 1 / 12) ? pick(today, Object.keys(centres)) : null
  const applied = away ? near(today, centres[away] as readonly [number, number], 0.05) : from(home)
  const position = (
    positionKind: NonNullable<Collected['positions']>[number]['positionKind'],
    place: { latitude: string; longitude: string },
    text: string,
    hours: number,
  ) => ({
    positionKind,
    ...place,
    accuracyMeters: between(today, 8, 90),
    addressText: text,
    capturedTime: before(at, hours * 3_600_000),
  })
  return [
    position('apply', applied, away ? `${away} town` : addressText, 0),
    position('home', home, addressText, 8),
    position('work', near(random, town, 0.08), `${district} central`, 20),
    ...[50, 120, 300].map(hours => position('recent', near(today, town, 0.09), district, hours)),
  ]
}

const operatorOf = ({ phone, at }: Who): Collected['operator'] => {
  const random = randomOf(`sim ${phone}`)
  const months = [5, 4, 3, 2, 1, 0].map(back => {
    const date = new Date(Date.parse(at))
    date.setUTCDate(1)
    date.setUTCMonth(date.getUTCMonth() - back)
    const calls = between(random, 40, 320)
    return {
      month: date.toISOString().slice(0, 7),
      calls,
      sms: between(random, 5, 120),
      topUps: between(random, 3, 24),
      topUpAmount: `${between(random, 6, 90)}000.00`,
      nightCalls: Math.floor(calls * random() * 0.2),
    }
  })
  return {
    phoneNetwork: networkOf(phone),
    simRegisteredName: chance(random, 0.9) ? nameOf(phone) : nameOf(`${phone} family`),
    simSince: before(at, between(random, 40, 3_000) * day).slice(0, 10),
    months,
  }
}

const dimensions = 16
const axes = Array.from({ length: dimensions }, (_, axis) => axis)

/** A face is the same for the same person but for the light; a few people look like one another. */
const faceOf = ({ phone, seed }: Who): Collected['face'] => {
  const own = randomOf(`looks ${phone}`)
  const base = randomOf(chance(own, 0.05) ? `family ${between(own, 1, 6)}` : `face ${phone}`)
  const light = randomOf(`light ${seed}`)
  const features = axes.map(() => {
    const [line, shade] = [base() * 2 - 1, (light() - 0.5) * 0.16]
    return Number(Math.max(-1, Math.min(1, line + shade)).toFixed(4))
  })
  return { faceScore: (chance(light, 0.93) ? 0.86 + light() * 0.13 : 0.45 + light() * 0.3).toFixed(3), features }
}

/** One in four has no number, one in twelve types somebody else's. */
const bvnFor = ({ phone }: Who): string | undefined => {
  const random = randomOf(`bvn ${phone}`)
  const luck = random()
  if (luck < 0.25) return undefined
  return bvnOf(luck < 0.33 ? phoneOf(between(random, 100_000, 299_999)) : phone)
}

/** What the app of a merchant finds on the phone of an applicant, the same for the same person. */
export const collectedOf = (who: Who): Collected => {
  const bvn = bvnFor(who)
  return {
    affinity: affinityOf(who),
    apps: appsOf(who),
    positions: positionsOf(who),
    operator: operatorOf(who),
    face: faceOf(who),
    ...(bvn ? { bvn } : {}),
  }
}

/** What an applicant agrees to; a few give neither their position nor their contacts away. */
export const agreesTo = (phone: string, kind: Application['consents'][number]['consentKind']): boolean =>
  kind === 'device' || kind === 'credit_bureau' || !chance(randomOf(`agrees ${kind} ${phone}`), 0.07)

/** A phone that several people apply with, for one in thirty. */
export const sharedDeviceOf = (phone: string): string | null => {
  const random = randomOf(`shared device ${phone}`)
  return chance(random, 1 / 30) ? `5ha7ed${between(random, 1, 9)}000000000` : null
}
