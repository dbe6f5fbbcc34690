using Wire.Benchmarks;

if (args is ["--floods"])
{
    Floods.Run();
}
else
{
    Quick.Run(Options.Parse(args));
}
