export { refreezeCoupon, releaseCoupon, restoreCoupon, useLimitCoupon } from './coupon.ts'
