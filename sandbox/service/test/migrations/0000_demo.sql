create table "counts" ("id" integer primary key, "value" integer not null);
