import { routerScreen } from './sms-router/router-screen.tsx'

/** Operations engineers decide which vendor carries offers, within the hours in which they may be sent. */
export default routerScreen('marketing')
