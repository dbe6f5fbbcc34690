namespace Depot;

/// <summary>The messages of the depot.</summary>
public abstract record DepotMessage;

/// <summary>An order, which some handlers refuse.</summary>
public sealed record Order(int Number) : DepotMessage;

/// <summary>A question, and its answer.</summary>
public sealed record Question(int Number) : DepotMessage;

/// <inheritdoc cref="Question"/>
public sealed record Answer(int Number) : DepotMessage;

/// <summary>A parcel, over the client alone.</summary>
public sealed record Parcel(int Number) : DepotMessage;

/// <summary>What a sensor has measured, in a stream.</summary>
public sealed record Reading(int Number) : DepotMessage;
