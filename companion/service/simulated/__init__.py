"""What the service has on a simulated table instead of devices and hands."""
