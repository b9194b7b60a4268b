"""The table as an MQTT device: what it reports to a broker, and what it takes from one."""
