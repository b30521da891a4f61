CREATE TABLE airports (
  iata TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  city TEXT,
  state TEXT,
  country TEXT NOT NULL,
  latitude REAL NOT NULL,
  longitude REAL NOT NULL
);
CREATE TABLE anscombe (
  id INTEGER PRIMARY KEY,
  series TEXT NOT NULL,
  x REAL NOT NULL,
  y REAL NOT NULL
);
CREATE TABLE bacteria (
  name TEXT NOT NULL PRIMARY KEY,
  genus TEXT NOT NULL,
  gram_staining TEXT NOT NULL CHECK (gram_staining IN ('positive', 'negative'))
);
CREATE TABLE antibiotic_tests (
  bacterium TEXT NOT NULL REFERENCES bacteria (name),
  antibiotic TEXT NOT NULL,
  concentration REAL NOT NULL,
  PRIMARY KEY (bacterium, antibiotic)
);
CREATE TABLE barley (
  id INTEGER PRIMARY KEY,
  variety TEXT NOT NULL,
  site TEXT NOT NULL,
  year INTEGER NOT NULL,
  yield REAL NOT NULL,
  UNIQUE (variety, site, year)
);
CREATE TABLE cars (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  miles_per_gallon REAL,
  cylinders INTEGER NOT NULL,
  displacement REAL NOT NULL,
  horsepower INTEGER,
  weight_lbs INTEGER NOT NULL,
  acceleration REAL NOT NULL,
  year DATE NOT NULL,
  origin TEXT NOT NULL
);
CREATE TABLE companies (
  symbol TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);
CREATE TABLE stocks (
  symbol TEXT NOT NULL REFERENCES companies (symbol),
  date DATE NOT NULL,
  price REAL NOT NULL,
  PRIMARY KEY (symbol, date)
);
CREATE TABLE crimean_war_deaths (
  month DATE NOT NULL,
  cause TEXT NOT NULL CHECK (cause IN ('disease', 'wounds', 'other')),
  deaths INTEGER NOT NULL,
  PRIMARY KEY (month, cause)
);
CREATE TABLE daily_prices (
  date DATE NOT NULL PRIMARY KEY,
  open REAL NOT NULL,
  high REAL NOT NULL,
  low REAL NOT NULL,
  close REAL NOT NULL,
  signal TEXT NOT NULL,
  return_percent REAL NOT NULL
);
CREATE TABLE driving (
  year INTEGER NOT NULL PRIMARY KEY,
  miles_per_person INTEGER NOT NULL,
  gas_price REAL NOT NULL
);
CREATE TABLE hourly_temperatures (
  city TEXT NOT NULL,
  measured_at DATETIME NOT NULL,
  temperature REAL NOT NULL,
  PRIMARY KEY (city, measured_at)
);
CREATE TABLE iowa_electricity (
  year INTEGER NOT NULL,
  source TEXT NOT NULL,
  net_generation INTEGER NOT NULL,
  PRIMARY KEY (year, source)
);
CREATE TABLE iris (
  id INTEGER PRIMARY KEY,
  sepal_length REAL NOT NULL,
  sepal_width REAL NOT NULL,
  petal_length REAL NOT NULL,
  petal_width REAL NOT NULL,
  species TEXT NOT NULL
);
CREATE TABLE la_riots_deaths (
  id INTEGER PRIMARY KEY,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  age INTEGER,
  gender TEXT NOT NULL,
  race TEXT NOT NULL,
  death_date DATE NOT NULL,
  address TEXT NOT NULL,
  neighborhood TEXT NOT NULL,
  type TEXT NOT NULL,
  longitude REAL NOT NULL,
  latitude REAL NOT NULL
);
CREATE TABLE seattle_weather (
  date DATE NOT NULL PRIMARY KEY,
  precipitation REAL NOT NULL,
  temp_max REAL NOT NULL,
  temp_min REAL NOT NULL,
  wind REAL NOT NULL,
  weather TEXT NOT NULL
);
CREATE TABLE sectors (
  name TEXT NOT NULL PRIMARY KEY,
  level TEXT NOT NULL CHECK (level IN ('total', 'group', 'sector', 'detail')),
  part_of TEXT REFERENCES sectors (name)
);
CREATE TABLE employment (
  month DATE NOT NULL,
  sector TEXT NOT NULL REFERENCES sectors (name),
  thousands REAL NOT NULL,
  PRIMARY KEY (month, sector)
);
CREATE TABLE wheat (
  year INTEGER NOT NULL PRIMARY KEY,
  wheat_price REAL NOT NULL,
  wages REAL
);
CREATE INDEX airports_state ON airports (state);
CREATE INDEX stocks_date ON stocks (date);
CREATE INDEX employment_sector ON employment (sector);
