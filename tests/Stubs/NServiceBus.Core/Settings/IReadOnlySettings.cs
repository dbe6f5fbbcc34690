namespace NServiceBus.Settings;

/// <summary>The settings of an endpoint, of which the adapter asks nothing.</summary>
public interface IReadOnlySettings;
