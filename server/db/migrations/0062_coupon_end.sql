-- Coupons of orders that have ended are free again; those whose time is over expire.
create index coupon_due on coupon (coupon_no, expire_time) where coupon_status in ('pending', 'waiting_used');

insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at, payload)
select 'M50', c.coupon_no, 'coupon.unfreeze', 'frozen', case when c.expire_time > now() then 'waiting_used' else 'expired' end,
  'system', 'migration 0062', now(), jsonb_build_object('orderNo', c.bound_order_no)
from coupon c join loan_order o on o.order_no = c.bound_order_no
where c.coupon_status = 'frozen' and o.order_status in ('machine_refused', 'approval_rejected', 'cancelled', 'settled');

update coupon c
set coupon_status = case when set_config('app.transition', 'on', true) = 'on' then case when c.expire_time > now() then 'waiting_used' else 'expired' end end,
  bound_order_no = null, version = c.version + 1
from loan_order o
where o.order_no = c.bound_order_no and c.coupon_status = 'frozen' and o.order_status in ('machine_refused', 'approval_rejected', 'cancelled', 'settled');
