namespace Sensors;

#region messages
public abstract record Reading(int Sensor, long At);
public sealed record Temperature(int Sensor, long At, double Celsius) : Reading(Sensor, At);
public sealed record Alarm(int Sensor, long At, string Reason) : Reading(Sensor, At);
#endregion
