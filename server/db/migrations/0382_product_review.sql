-- What customers write of supermarket products: moderated, never written or changed by staff.
create table product_review (
  review_no text primary key, review_status text not null, market_product_no text not null references market_product, customer_no text not null references customer,
  merchant_no text not null references merchant, app_code text not null, app_version text not null, rating int not null check (rating between 1 and 5), review_text text not null, review_language text not null,
  product_then jsonb not null, word_held boolean not null default false, report_count int not null default 0,
  hide_reason text, hide_remark text, handled_by text, handled_time timestamptz,
  reply_text text, reply_time timestamptz, replied_by text, pending_since timestamptz not null, created_time timestamptz not null, version int not null default 0,
  unique (customer_no, market_product_no)
);
create index product_review_created on product_review (created_time, review_no);
create index product_review_product on product_review (market_product_no, review_status);
create index product_review_pending on product_review (pending_since) where review_status = 'pending';
create trigger product_review_status_guard before update on product_review for each row when (old.review_status is distinct from new.review_status) execute function guard_status('review_status');
create table product_review_report (
  review_no text not null references product_review, customer_no text not null references customer, at timestamptz not null, primary key (review_no, customer_no)
);
