export { releaseCoupon, restoreCoupon, useLimitCoupon } from './coupon.ts'
