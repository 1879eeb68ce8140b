alter table product_imports add column kind text not null default 'parts';
