namespace Parcels;

#region messages
public abstract record ParcelMessage(int Number);
public sealed record ParcelSent(int Number, string To, double Kilograms) : ParcelMessage(Number);
public sealed record ParcelArrived(int Number, DateTime At) : ParcelMessage(Number);
#endregion

/// <summary>A message that is large.</summary>
public sealed record Scan(int Number, byte[] Image) : ParcelMessage(Number);
