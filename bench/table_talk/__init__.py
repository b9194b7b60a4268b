"""The closed loop of The Nasty 7: real listener, inbox, spotter and rules, in noise."""
