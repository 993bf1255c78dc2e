import type { Application } from '../../../core/contract/order/intake.ts'

type App = NonNullable<NonNullable<Application['collected']>['apps']>[number]

/** Apps that phones in Uganda have, by what they are for. */
export const apps: readonly (readonly [
  packageName: string,
  appTitle: string,
  category: App['appCategory'],
  share: number,
])[] = [
  ['com.whatsapp', 'WhatsApp', 'messaging', 0.97],
  ['com.facebook.katana', 'Facebook', 'social', 0.85],
  ['com.zhiliaoapp.musically', 'TikTok', 'social', 0.7],
  ['com.instagram.android', 'Instagram', 'social', 0.35],
  ['com.twitter.android', 'X', 'social', 0.25],
  ['com.mtn.momo.ug', 'MTN MoMo', 'wallet', 0.75],
  ['com.airtel.money.ug', 'Airtel Money', 'wallet', 0.4],
  ['com.stanbic.flexipay', 'FlexiPay', 'wallet', 0.2],
  ['com.centenary.mobile', 'CenteMobile', 'banking', 0.3],
  ['com.equitybank.eazzy', 'Equity Mobile', 'banking', 0.15],
  ['ug.lender.quickcash', 'Quick Cash', 'lending', 0.3],
  ['ug.lender.okash', 'Speed Loan', 'lending', 0.2],
  ['ug.lender.mangu', 'Mangu Cash', 'lending', 0.12],
  ['ug.lender.wewole', 'Wewole Loans', 'lending', 0.1],
  ['ug.bet.fortune', 'Fortune Bet', 'gambling', 0.14],
  ['ug.bet.kings', 'Kings Bet', 'gambling', 0.08],
  ['com.safeboda.passenger', 'SafeBoda', 'transport', 0.4],
  ['com.ubercab', 'Uber', 'transport', 0.15],
  ['com.jumia.android', 'Jumia', 'shopping', 0.25],
  ['ug.jiji.app', 'Jiji', 'shopping', 0.3],
  ['com.opera.mini.native', 'Opera Mini', 'other', 0.6],
  ['com.transsnet.boomplay', 'Boomplay', 'other', 0.4],
  ['com.kiloo.subwaysurf', 'Subway Surfers', 'games', 0.2],
  ['com.ludo.king', 'Ludo King', 'games', 0.25],
  ['us.zoom.videomeetings', 'Zoom', 'work', 0.15],
  ['ug.ura.efris', 'EFRIS', 'work', 0.07],
]

/** Where districts lie, in degrees. */
export const centres: Readonly<Record<string, readonly [latitude: number, longitude: number]>> = {
  Kampala: [0.3136, 32.5811],
  Wakiso: [0.4044, 32.4594],
  Mukono: [0.3549, 32.7553],
  Jinja: [0.4478, 33.2026],
  Mbarara: [-0.6072, 30.6545],
  Gulu: [2.7746, 32.299],
  Lira: [2.2499, 32.8998],
  Mbale: [1.0784, 34.181],
  Masaka: [-0.3411, 31.7361],
  'Fort Portal': [0.6617, 30.2748],
  Soroti: [1.7146, 33.6111],
  Arua: [3.0201, 30.9111],
}
