CREATE TABLE countries (
  code TEXT NOT NULL PRIMARY KEY CHECK (length(code) = 2),
  name TEXT NOT NULL UNIQUE,
  region TEXT NOT NULL
);
CREATE TABLE customers (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT UNIQUE,
  country_code TEXT NOT NULL REFERENCES countries (code),
  city TEXT,
  segment TEXT NOT NULL CHECK (segment IN ('consumer', 'business', 'education')),
  birth_year INTEGER,
  newsletter BOOLEAN NOT NULL CHECK (newsletter IN (0, 1)),
  joined_on DATE NOT NULL
);
CREATE TABLE stores (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  city TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'closed')),
  area_m2 INTEGER NOT NULL CHECK (area_m2 > 0),
  opened_on DATE NOT NULL,
  closed_on DATE CHECK (closed_on > opened_on)
);
CREATE TABLE employees (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  title TEXT NOT NULL,
  department TEXT NOT NULL,
  manager_id INTEGER REFERENCES employees (id),
  store_id INTEGER REFERENCES stores (id),
  salary INTEGER NOT NULL CHECK (salary > 0),
  hired_on DATE NOT NULL,
  left_on DATE CHECK (left_on > hired_on)
);
CREATE TABLE categories (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  division TEXT NOT NULL
);
CREATE TABLE products (
  id INTEGER PRIMARY KEY,
  sku TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE,
  category_id INTEGER NOT NULL REFERENCES categories (id),
  brand TEXT,
  status TEXT NOT NULL CHECK (status IN ('active', 'discontinued')),
  list_price REAL NOT NULL CHECK (list_price > 0),
  weight_kg REAL,
  launched_on DATE NOT NULL
);
CREATE TABLE price_history (
  product_id INTEGER NOT NULL REFERENCES products (id),
  valid_from DATE NOT NULL,
  valid_to DATE,
  price REAL NOT NULL CHECK (price > 0),
  PRIMARY KEY (product_id, valid_from)
);
CREATE TABLE suppliers (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  country_code TEXT NOT NULL REFERENCES countries (code),
  lead_time_days INTEGER NOT NULL CHECK (lead_time_days > 0),
  rating REAL CHECK (rating BETWEEN 1 AND 5)
);
CREATE TABLE product_suppliers (
  product_id INTEGER NOT NULL REFERENCES products (id),
  supplier_id INTEGER NOT NULL REFERENCES suppliers (id),
  purchase_price REAL NOT NULL CHECK (purchase_price > 0),
  PRIMARY KEY (product_id, supplier_id)
);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  channel TEXT NOT NULL CHECK (channel IN ('online', 'marketplace', 'store', 'phone')),
  store_id INTEGER REFERENCES stores (id),
  employee_id INTEGER REFERENCES employees (id),
  status TEXT NOT NULL CHECK (status IN ('processing', 'shipped', 'completed', 'returned', 'cancelled')),
  ordered_on DATE NOT NULL,
  shipped_on DATE CHECK (shipped_on >= ordered_on),
  shipping_cost REAL NOT NULL CHECK (shipping_cost >= 0)
);
CREATE TABLE order_lines (
  id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES orders (id),
  product_id INTEGER NOT NULL REFERENCES products (id),
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  unit_price REAL NOT NULL CHECK (unit_price > 0),
  unit_cost REAL NOT NULL CHECK (unit_cost > 0),
  discount REAL NOT NULL CHECK (discount >= 0 AND discount < 1),
  UNIQUE (order_id, product_id)
);
CREATE TABLE payments (
  id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES orders (id),
  method TEXT NOT NULL CHECK (method IN ('card', 'paypal', 'bank transfer', 'invoice', 'cash', 'gift card')),
  status TEXT NOT NULL CHECK (status IN ('paid', 'pending', 'refunded')),
  amount REAL NOT NULL CHECK (amount > 0),
  paid_on DATE
);
CREATE TABLE returns (
  id INTEGER PRIMARY KEY,
  order_line_id INTEGER NOT NULL UNIQUE REFERENCES order_lines (id),
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  reason TEXT,
  refund_amount REAL NOT NULL CHECK (refund_amount >= 0),
  returned_on DATE NOT NULL
);
CREATE INDEX customers_country ON customers (country_code);
CREATE INDEX employees_manager ON employees (manager_id);
CREATE INDEX products_category ON products (category_id);
CREATE INDEX product_suppliers_supplier ON product_suppliers (supplier_id);
CREATE INDEX orders_customer ON orders (customer_id);
CREATE INDEX orders_ordered_on ON orders (ordered_on);
CREATE INDEX orders_store ON orders (store_id);
CREATE INDEX orders_employee ON orders (employee_id);
CREATE INDEX order_lines_product ON order_lines (product_id);
CREATE INDEX payments_order ON payments (order_id);
